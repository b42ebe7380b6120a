/** What an avatar shows of an account; earlier versions accepted any texts. */
export interface Face {
  readonly username: string;
  readonly user_first_name?: string | null | undefined;
  readonly user_last_name?: string | null | undefined;
  readonly user_short?: string | null | undefined;
  readonly user_color?: string | null | undefined;
}

const lettersOf = (text: string | null | undefined) => text?.match(/[\p{L}\p{N}]\p{M}*/gu) ?? [];

/** Up to three letters: the initials of the account, of its name, or of its username. */
export function initialsOf({ username, user_first_name, user_last_name, user_short }: Face): string {
  const own = lettersOf(user_short).slice(0, 3);
  const named = [user_first_name, user_last_name].flatMap((name) => lettersOf(name).slice(0, 1));
  const shown = [own, named, lettersOf(username).slice(0, 2)].find(({ length }) => length > 0) ?? [];
  return shown.join('').toUpperCase();
}

/** Relative luminance of a channel of sRGB (WCAG 2.2). */
const linear = (channel: number) =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;

const WEIGHTS = [0.2126, 0.7152, 0.0722];

/** Luminance above which black has a higher contrast than white. */
const MIDDLE = 0.179;

/** The colour of an account with the one of black and white that is readable on it; undefined for another text. */
export function colorsOf({ user_color }: Pick<Face, 'user_color'>) {
  const background = user_color ?? '';
  if (!/^#[0-9a-f]{6}$/i.test(background)) return undefined;
  const luminance = WEIGHTS.reduce((sum, weight, index) => {
    const at = 1 + 2 * index;
    return sum + weight * linear(Number.parseInt(background.slice(at, at + 2), 16) / 255);
  }, 0);
  return { background, color: luminance > MIDDLE ? '#000000' : '#ffffff' };
}

interface AvatarProps {
  readonly of: Face;
  readonly isLarge?: boolean;
}

/** The initials of an account on its colour; its name is next to it. */
export function Avatar({ of, isLarge }: AvatarProps) {
  const initials = initialsOf(of);
  return (
    <span
      class={`avatar tint${isLarge ? ' large' : ''}`}
      style={colorsOf(of)}
      data-initials={initials}
      data-letters={lettersOf(initials).length}
      aria-hidden="true"
    />
  );
}
