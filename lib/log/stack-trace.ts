import { readFileSync } from 'node:fs';
import type { SourceMap, SourceMapPayload } from 'node:module';

/** `    at name (file:line:column)` of V8; the top level of a module has no name. */
const FRAME = /^ {4}at (?:.+? \()?(?:file:\/\/)?(\/[^()]*?):(\d+):(\d+)\)?$/;

/** Source maps by file; undefined for a file without one. */
const maps = new Map<string, SourceMap | undefined>();

/**
 * Translates the frames of a stack to the functions, files and lines of the source. The source map is read when an error
 * is logged. With `--enable-source-maps`, each start would read it.
 *
 * @param stack in the format of V8
 */
export function originalStack(stack: string | undefined): string[] | undefined {
  const frames = stack?.split('\n').filter((line) => line.startsWith('    at '));
  return frames?.map((line, index) => {
    const origin = originOf(line);
    if (!origin) return line.trim();
    // The map names the function that is called at a place, which is the function of the previous frame.
    const caller = frames[index + 1];
    const name = caller && originOf(caller)?.name;
    return `at ${name ? `${name} ` : ''}(${origin.file}:${origin.line}:${origin.column})`;
  });
}

function originOf(frame: string) {
  const [, file = '', line, column] = FRAME.exec(frame) ?? [];
  const found = mapOf(file)?.findOrigin(Number(line), Number(column));
  if (!found || !('fileName' in found)) return undefined;
  return {
    name: found.name as string | undefined,
    file: found.fileName.replace(/^(?:\.\.\/)+/, ''),
    line: found.lineNumber,
    column: found.columnNumber,
  };
}

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) maps.set(file, readMap(file));
  return maps.get(file);
}

function readMap(file: string): SourceMap | undefined {
  try {
    // Loaded on use, since functions need it for errors only.
    const { SourceMap } = process.getBuiltinModule('node:module');
    return new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')) as SourceMapPayload);
  } catch {
    return undefined;
  }
}
