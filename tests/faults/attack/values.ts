import { pickNumber, pickOne } from '#tests/faults/random.ts'

/**
 * Stands in a body for text that `JSON.stringify` cannot write, such as a number beyond every
 * double. `printJson` puts the text itself there.
 */
const RAW = '@raw:'
const RAW_TEXTS = ['1e999', '-0', '1E400', '123456789012345678901234567890', '0.1e-400'] as const

const deepList = (depth: number): unknown => `${RAW}${'['.repeat(depth)}${']'.repeat(depth)}`
const deepObject = (depth: number): unknown =>
  Array.from({ length: depth }).reduce<unknown>((inner) => ({ a: inner }), 1)

/** Texts that a parser, a database, a log or a page may take for something else. */
const TEXTS: readonly string[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\u0007\u001b[31m',
  '\r\nSet-Cookie: session=stolen',
  '\ud800',
  '\u202egpj.exe',
  '👩‍👩‍👧‍👦'.repeat(50),
  'é'.repeat(300),
  "'; drop table users; --",
  "' or '1'='1",
  '${7*7}{{7*7}}',
  '<script>alert(1)</script>',
  '../../../../etc/passwd',
  '..\\..\\windows\\win.ini',
  'file:///etc/passwd',
  'http://127.0.0.1:1/',
  'https://evil.example/',
  '//evil.example',
  'javascript:alert(1)',
  'NaN',
  'Infinity',
  'undefined',
  '__proto__',
  'constructor',
  '0x10',
  '1e3',
  '-1',
  '9'.repeat(400),
  '%00',
  '%',
  'a@example.com\nBcc: b@example.com',
  'A'.repeat(5_000),
  'A'.repeat(200_000),
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '0197a3f2-7c1e-7b90-a111-5d2c8e4f0aff',
  '9999-99-99T99:99:99Z',
]

const NUMBERS: readonly number[] = [
  0,
  -1,
  1,
  0.1,
  -0.5,
  1e-7,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  2 ** 63,
  1e21,
  Number.MAX_VALUE,
]

/** A text that fits no field, or that fits and means harm. */
export function hostileText(random: () => number): string {
  return pickOne(random, TEXTS)
}

/** Any JSON value that should not be where it is put. */
export function hostileValue(random: () => number): unknown {
  switch (pickNumber(random, 0, 7)) {
    case 0:
      return pickOne(random, [null, true, false, [], {}, [[]], [null]])
    case 1:
      return pickOne(random, NUMBERS)
    case 2:
      return `${RAW}${pickOne(random, RAW_TEXTS)}`
    case 3:
      return deepList(pickOne(random, [5, 500, 5_000]))
    case 4:
      return deepObject(pickOne(random, [5, 50, 500]))
    case 5:
      return Array.from({ length: pickOne(random, [101, 5_000]) }, () => hostileText(random)[0])
    default:
      return hostileText(random)
  }
}

/** A body that is no JSON, or none that an object comes out of. */
export function hostileBytes(random: () => number): Uint8Array {
  const text = pickOne(random, [
    '',
    '{',
    '{"a":1}{"b":2}',
    '[',
    'null',
    '"text"',
    '7',
    'NaN',
    "{'a': 1}",
    '{"a":1,"a":2}',
    '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{}}}',
    '\ufeff{}',
    '['.repeat(100_000),
    '{"a":'.repeat(50_000),
    `"${'x'.repeat(3 << 20)}"`,
  ])
  return random() < 0.2
    ? Uint8Array.from({ length: 500 }, () => pickNumber(random, 0, 255))
    : new TextEncoder().encode(text)
}

/** Writes a body; what stands for a raw text becomes it. */
export function printJson(value: unknown): string {
  return (JSON.stringify(value) ?? '').replaceAll(/"@raw:([^"]*)"/g, '$1')
}

/** Changes one field, wherever it is: leaves it out, replaces it, doubles it or adds another. */
export function breakOneField(random: () => number, body: unknown): unknown {
  const paths = pathsIn(body)
  if (paths.length === 0) return hostileValue(random)
  return changeAt(random, body, pickOne(random, paths))
}

function changeAt(random: () => number, value: unknown, path: readonly string[]): unknown {
  const [name, ...rest] = path
  if (name === undefined) return hostileValue(random)
  const changed: Record<string, unknown> = { ...(value as Record<string, unknown>) }
  if (rest.length > 0) changed[name] = changeAt(random, changed[name], rest)
  else if (random() < 0.2) Reflect.deleteProperty(changed, name)
  else if (random() < 0.15) changed[`${name}${hostileText(random).slice(0, 40)}`] = 1
  else if (random() < 0.1) changed[name] = [changed[name], changed[name]]
  else changed[name] = hostileValue(random)
  return Array.isArray(value) ? Object.values(changed) : changed
}

/** Every place in a body: `['a', '0', 'b']` is `a[0].b`. */
function pathsIn(value: unknown): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [
    [name],
    ...pathsIn(inner).map((path) => [name, ...path]),
  ])
}
