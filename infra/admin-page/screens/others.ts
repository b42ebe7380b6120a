export { AccountView } from './account/account.tsx';
export { Activity } from './activity.tsx';
export { Attention, AttentionCount } from './attention.tsx';
export { Invite } from './invite.tsx';
export { Machines } from './machines.tsx';
export { MyAccount } from './me.tsx';
export { Owners } from './owners.tsx';
export { TeamView } from './team.tsx';
export { Teams } from './teams.tsx';
