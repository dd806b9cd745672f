import { expect, it } from 'vitest'
import { checkClasses, longClasses } from '#scripts/check-classes.ts'
import { projectRoot } from '#scripts/project-root.ts'

/** A class of so many lines, as the formatter lays it out. */
function classOf(lines: number, head = 'class Long {', indent = ''): string {
  const method = [`${indent}  read(): number {`, `${indent}    return 1`, `${indent}  }`]
  const filling = Array.from({ length: lines - 5 }, () => '')
  return [`${indent}${head}`, ...method, ...filling, `${indent}}`].join('\n')
}

it.each([
  ['a class', classOf(201), 'Long', 1],
  ['an exported one', classOf(201, 'export class Engine implements UploadEngine {'), 'Engine', 1],
  [
    'one with a long head',
    `import 'x'\n\n${classOf(201, 'export class A\n  extends B\n{')}`,
    'A',
    3,
  ],
  ['one within a block', `function f() {\n${classOf(201, 'class Inner {', '  ')}\n}`, 'Inner', 2],
])('refuses %s of more than 200 lines', (_, text, name, line) => {
  expect(longClasses(text)).toMatchObject([{ name, line }])
})

it.each([
  ['of 200 lines', classOf(200)],
  ['that follow each other', `${classOf(150)}\n\n${classOf(150)}`],
  ['that a comment names', `// class Long {\n${'\n'.repeat(300)}}`],
])('lets classes through %s', (_, text) => {
  expect(longClasses(text)).toEqual([])
})

it('finds none in this repository', async () => {
  expect(await checkClasses(projectRoot)).toEqual([])
})
