import { doors, places, zones, type Zone } from '#scripts/import-zones.ts'

/** What the linter's configuration depends on beside the table: the folders that exist. */
export interface Folders {
  readonly features: readonly string[]
  readonly workers: readonly string[]
}

interface Pattern {
  readonly regex: string
  readonly message: string
  readonly allowTypeImports?: boolean
}

/** Lines, with comments and blank lines. */
const LONGEST_FUNCTION = 60

/** The rules for all files, beside the linter's own set for correctness. */
const generalRules = {
  'typescript/no-floating-promises': 'error',
  'typescript/no-misused-promises': 'error',
  'typescript/await-thenable': 'error',
  'typescript/no-explicit-any': 'error',
  'typescript/no-unsafe-assignment': 'error',
  'typescript/no-unsafe-return': 'error',
  'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
  'typescript/consistent-type-imports': 'error',
  'typescript/restrict-template-expressions': 'off',
  'typescript/no-base-to-string': 'off',
  // Objects made by `createX` have no `this`; their functions are handed around freely.
  'typescript/unbound-method': 'off',
  // Spreading a string gives code points, which is what is meant here.
  'typescript/no-misused-spread': 'off',
  'typescript/require-array-sort-compare': ['error', { ignoreStringArrays: true }],
  'promise/no-callback-in-promise': 'off',
  // By types only, too: two files of which neither can be read without the other are one.
  'import/no-cycle': ['error', { ignoreTypes: false }],
  'import/no-default-export': 'error',
  'react/rules-of-hooks': 'error',
  // Handles to the outside (object URLs, widgets) are made and given back in effects.
  'react/set-state-in-effect': 'off',
  'eslint/eqeqeq': ['error', 'always', { null: 'ignore' }],
  // Refusing control characters in what people type needs them in patterns.
  'eslint/no-control-regex': 'off',
  'eslint/prefer-const': 'error',
  'eslint/no-var': 'error',
  'eslint/max-lines-per-function': ['error', { max: LONGEST_FUNCTION }],
}

/**
 * The linter's configuration, as JSON: general rules, then one override a zone with its forbidden
 * imports.
 */
export function lintConfig(folders: Folders): object {
  return {
    plugins: ['typescript', 'import', 'unicorn', 'oxc', 'react', 'promise'],
    categories: {
      correctness: 'error',
      suspicious: 'off',
      pedantic: 'off',
      perf: 'off',
      style: 'off',
      restriction: 'off',
    },
    env: { builtin: true, browser: true, node: true, worker: true },
    rules: generalRules,
    ignorePatterns: ['dist', 'node_modules', '**/*.gen.ts', 'public', '.onecut', 'scripts/*.mjs'],
    overrides: [
      ...withDoors(zones(folders.features, folders.workers)).map(({ files, patterns }) => ({
        files,
        rules: { 'no-restricted-imports': ['error', { patterns }] },
      })),
      // Small components and early returns read better than a tree of conditions.
      { files: ['**/*.tsx'], rules: { 'eslint/no-nested-ternary': 'error' } },
      // A `describe` holds all tests of a subject.
      { files: ['tests/**'], rules: { 'eslint/max-lines-per-function': 'off' } },
      // Their tools insist on a default export; test set-up functions are one for vitest.
      {
        files: ['*.config.ts', 'tests/setup/*.ts', 'scripts/pool/cost-reporter.ts'],
        rules: { 'import/no-default-export': 'off' },
      },
      // Answers of a server under test are what the test says they are.
      {
        files: ['tests/**'],
        rules: {
          'typescript/no-unsafe-assignment': 'off',
          'typescript/no-unsafe-return': 'off',
          'typescript/require-array-sort-compare': 'off',
        },
      },
    ],
  }
}

// An override replaces the rule of the one before it, so a library's door cuts its own piece out of
// a zone.
function withDoors(
  all: readonly Zone[],
): { files: readonly string[]; patterns: readonly Pattern[] }[] {
  return all.flatMap((zone) => {
    if (zone.files.includes('tests/**') || zone.files.includes('openapi/**'))
      return [{ files: zone.files, patterns: [parentFolder] }]
    const own = zonePatterns(zone)
    const pieces = doorPieces(zone)
    return [
      { files: zone.files, patterns: [...own, ...doorPatterns(zone.files[0] ?? '')] },
      ...pieces.map((files) => ({ files: [files], patterns: [...own, ...doorPatterns(files)] })),
    ]
  })
}

const parentFolder: Pattern = {
  regex: '(^|/)\\.\\.(/|$)',
  message: 'Import across folders by a # path (package.json, "imports").',
}

function zonePatterns(zone: Zone): Pattern[] {
  const forbidden = places.filter(
    (place) =>
      !zone.may.includes(place) &&
      !(zone.mayTypes ?? []).includes(place) &&
      !zone.may.some((inner) => inner.startsWith(`${place}/`)),
  )
  const typesOnly = (zone.mayTypes ?? []).filter((place) => !zone.may.includes(place))
  return [
    parentFolder,
    ...forbidden.map((place) => ({
      regex: `^${place}(/|\\.|$)`,
      message: `${zone.files[0] ?? ''} may not import ${place} (ARCHITECTURE.md, scripts/import-zones.ts).`,
    })),
    ...typesOnly.map((place) => ({
      regex: `^${place}(/|\\.|$)`,
      message: `${zone.files[0] ?? ''} may import only types of ${place}.`,
      allowTypeImports: true,
    })),
    ...siblingPatterns(zone),
  ]
}

// "Itself, but not its neighbours": the linter's patterns have no look-ahead, so each neighbour is
// named, in every folder on the way to a place that the zone may use a part of.
function siblingPatterns(zone: Zone): Pattern[] {
  const parents = new Set(zone.may.flatMap(foldersAbove).filter((each) => !zone.may.includes(each)))
  return [...parents].map((parent) => {
    const within = zone.may.filter((place) => place.startsWith(`${parent}/`))
    const allowed = [
      ...new Set(within.map((place) => place.slice(parent.length + 1).split('/')[0] ?? '')),
    ]
    return {
      regex: notAnyOf(parent, allowed),
      message: `${zone.files[0] ?? ''} may use of ${parent} only ${allowed.join(', ')}.`,
      ...(zone.seesNeighbourTypes === true ? { allowTypeImports: true } : {}),
    }
  })
}

/** `#src/local/db` and `#src/local` of `#src/local/db/x`; what `#src` holds is in `places`. */
function foldersAbove(place: string): string[] {
  const names = place.split('/')
  return names
    .map((_, index) => names.slice(0, index).join('/'))
    .filter((folder) => folder !== '' && folder !== '#src')
}

// Matches `<parent>/<name>…` for every first name that is none of the allowed ones, without
// look-ahead.
function notAnyOf(parent: string, allowed: readonly string[]): string {
  const alternatives: string[] = []
  const longest = Math.max(...allowed.map(({ length }) => length))
  for (let length = 0; length <= longest; length += 1) {
    for (const prefix of new Set(
      allowed.filter((name) => name.length >= length).map((name) => name.slice(0, length)),
    )) {
      const next = new Set(
        allowed.filter((name) => name.startsWith(prefix)).map((name) => name[length] ?? '/'),
      )
      alternatives.push(`${escape(prefix)}[^${[...next].map(escape).join('')}]`)
    }
  }
  return `^${parent}/(${alternatives.join('|')})`
}

function doorPieces(zone: Zone): string[] {
  const roots = zone.files.map((pattern) => pattern.replace(/\*\*$/, ''))
  const files = doors
    .flatMap((door) => door.files)
    .filter((door) => roots.some((root) => door.startsWith(root)))
  // Wider pieces first, so that the narrowest one is the last that matches.
  return [...new Set(files)]
    .sort((a, b) => a.length - b.length)
    .map((door) => (door.endsWith('/') ? `${door}**` : door))
}

function doorPatterns(files: string): Pattern[] {
  const path = files.replace(/\*\*$/, '')
  return doors
    .filter((door) => !door.files.some((open) => path.startsWith(open)))
    .map(({ libraries, files: open }) => ({
      regex: `^(${libraries.map(escape).join('|')})(/|$)`,
      allowTypeImports: true,
      message: `Its only door is ${open.join(', ')} (scripts/import-zones.ts).`,
    }))
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
