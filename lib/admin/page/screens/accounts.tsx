import type { Screen } from '../screen.ts';

const Accounts = () => <p>Accounts</p>;

export const accounts: Screen = { id: 'accounts', title: 'Accounts', isListed: true, View: Accounts };
