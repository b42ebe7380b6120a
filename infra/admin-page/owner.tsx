import { useInstance } from './session.ts';

/** The name of the owner of the instance with its logo, if it has one. */
export function Owner() {
  const name = useInstance();
  const { logo } = document.documentElement.dataset;
  return (
    <span class="owner" title={name}>
      {logo && <img src={logo} alt="" />}
      <bdi>{name}</bdi>
    </span>
  );
}
