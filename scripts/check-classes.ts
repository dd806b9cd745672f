import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sourceFiles } from '#scripts/source-files.ts'

/** Lines, with comments and blank lines, from the head of the class to its closing brace. */
const LONGEST_CLASS = 200

/** A class as the formatter lays it out: it ends at the first brace as far in as it begins. */
const CLASS = /^( *)(?:export |default |abstract )*class (\w+)[^]*?^\1\}/gm

/**
 * One line for each class that is longer than `LONGEST_CLASS`. The linter counts functions only,
 * and a class is one: all its methods share its fields. Tests are as long as their subject.
 */
export async function checkClasses(root: string): Promise<string[]> {
  const files = await sourceFiles(root, [
    'src',
    'workers',
    'server',
    'recipes',
    'checks',
    'spec',
    'openapi',
    'scripts',
  ])
  const found = await Promise.all(
    files.map(async (file) =>
      longClasses(await readFile(join(root, file), 'utf8')).map(
        ({ name, line, length }) =>
          `${file}:${line}: class ${name} has ${length} lines, at most ${LONGEST_CLASS}. Cut it where its fields fall apart.`,
      ),
    ),
  )
  return found.flat()
}

/** The classes of a text that are too long. Lines count from 1. */
export function longClasses(
  text: string,
): { readonly name: string; readonly line: number; readonly length: number }[] {
  return [...text.matchAll(CLASS)]
    .map(({ 0: body, 2: name = '', index }) => ({
      name,
      line: text.slice(0, index).split('\n').length,
      length: body.split('\n').length,
    }))
    .filter(({ length }) => length > LONGEST_CLASS)
}
