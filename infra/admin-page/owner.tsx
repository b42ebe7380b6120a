import { useInstance } from './session.ts';

/** The owner of the instance: a logo, if there is one, and the name, else the host of the address. */
export function Owner() {
  const { logo } = document.documentElement.dataset;
  return (
    <span class="owner">
      {logo && <img src={logo} alt="" />}
      <bdi>{useInstance()}</bdi>
    </span>
  );
}
