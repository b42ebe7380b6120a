/** Such expressions of `marked` it executes, and does nothing else with; in others it replaces. */
const ANCHORED_WITH_CLASSES = /^\^.*\\p\{/s;

type Executed = Pick<RegExp, 'exec' | 'lastIndex'>;

/**
 * A regular expression that is read by its first use, where it has classes of Unicode (`\p{P}`) and an anchor.
 *
 * V8 takes 0.1 ms for each time that one names a class, 2 to 4 ms for the longest of `marked`. It makes eleven with an
 * anchor: five for other kinds of Markdown, and five for emphasis and strikethrough, which a text may lack.
 */
export function regExpOnUse(source: string, flags: string): Executed {
  if (!ANCHORED_WITH_CLASSES.test(source)) return new RegExp(source, flags);
  let read: RegExp | undefined;
  const expression = () => {
    read ??= new RegExp(source, flags);
    return read;
  };
  return {
    get lastIndex() {
      return expression().lastIndex;
    },
    set lastIndex(index) {
      expression().lastIndex = index;
    },
    exec: (text) => expression().exec(text),
  };
}
