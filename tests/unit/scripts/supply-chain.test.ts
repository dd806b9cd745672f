import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { CORE_PARTS, CORE_VERSION } from '#scripts/licences/core-parts.ts'
import { packageFolderOf, productionFolders, readLicence } from '#scripts/licences/packages.ts'
import { onlyPackages, readSbom, type Sbom } from '#scripts/licences/sbom.ts'
import { projectRoot } from '#scripts/project-root.ts'
import { keepAdvisories, keptVerdict, lockedPackages, readAdvisories } from '#scripts/advisories.ts'
import { readSignatures } from '#scripts/signatures.ts'
import { systemVerdict } from '#scripts/system-packages.ts'

interface LockEntry {
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly link?: boolean
  readonly inBundle?: boolean
  readonly hasInstallScript?: boolean
}

let packages: [string, LockEntry][] = []
let manifest: { readonly allowScripts: Readonly<Record<string, boolean>> }
beforeAll(async () => {
  const read = async (file: string) => await readFile(join(projectRoot, file), 'utf8')
  const lockfile = JSON.parse(await read('package-lock.json')) as {
    readonly packages: Readonly<Record<string, LockEntry>>
  }
  // Without the project itself and its workspace.
  packages = Object.entries(lockfile.packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && link !== true,
  )
  manifest = JSON.parse(await read('package.json')) as typeof manifest
})

it('TRU-07 every package of the lockfile has a checksum', () => {
  expect(packages.length).toBeGreaterThan(500)
  // What comes inside of another package is covered by that one's.
  const own = packages.filter(([, { inBundle }]) => inBundle !== true)
  const weak = own.filter(([, { integrity }]) => integrity?.startsWith('sha512-') !== true)
  expect(weak.map(([path]) => path)).toEqual([])
})

it('TRU-07 a start installs what the lockfile says, or says why it cannot', async () => {
  const bootstrap = await readFile(join(projectRoot, 'scripts/bootstrap.mjs'), 'utf8')
  expect(bootstrap).toContain("runNpm('ci')")
  expect(bootstrap).not.toMatch(/'install'|--no-save/)
})

it('TRU-07 every package comes from the registry, and none may run code at its installation', async () => {
  expect(packages.filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
  const npmrc = await readFile(join(projectRoot, '.npmrc'), 'utf8')
  expect(npmrc).toMatch(/^ignore-scripts=true$/m)
  const wanting = packages.filter(([, { hasInstallScript }]) => hasInstallScript === true)
  const names = new Set(wanting.map(([path]) => path.split('node_modules/').at(-1) ?? ''))
  expect(Object.keys(manifest.allowScripts).toSorted()).toEqual(
    expect.arrayContaining([...names].toSorted()),
  )
  expect(Object.values(manifest.allowScripts)).not.toContain(true)
})

it('TRU-07 every package of production has the text of its licence', async () => {
  const folders = await productionFolders(projectRoot)
  expect(folders.length).toBeGreaterThan(80)
  const licences = await Promise.all(folders.map((folder) => readLicence(projectRoot, folder)))
  expect(licences.filter(({ text }) => text.length < 300).map(({ name }) => name)).toEqual([])
  const core = licences.find(({ name }) => name === '@ffmpeg/core')
  expect(core?.version).toBe(CORE_VERSION)
  expect(core?.text).toContain('GNU GENERAL PUBLIC LICENSE')
  expect(core?.text).toContain('The WebM Project authors')
  expect(licences.find(({ name }) => name === 'dexie')?.text).toContain('NOTICE')
})

it('TRU-07 modules are told apart by the package that they are in', () => {
  const folder = (id: string) => packageFolderOf(id, '/app')
  expect(folder('/app/src/main.tsx')).toBeNull()
  expect(folder('/app/node_modules/react/index.js')).toBe('node_modules/react')
  expect(folder('\0/app/node_modules/react/index.js?commonjs')).toBe('node_modules/react')
  expect(folder('node_modules/@ffmpeg/core/dist/esm/ffmpeg-core.wasm')).toBe(
    'node_modules/@ffmpeg/core',
  )
  expect(folder('/app/node_modules/a/node_modules/@b/c/d.js')).toBe(
    'node_modules/a/node_modules/@b/c',
  )
})

it('TRU-07 the bill of materials has each package, its checksum, and what the core is made of', () => {
  const sbom = readSbom(projectRoot) as Sbom & { readonly bomFormat: string }
  expect(sbom.bomFormat).toBe('CycloneDX')
  expect(JSON.stringify(sbom)).toBe(JSON.stringify(readSbom(projectRoot)))
  expect(sbom.components.length).toBeGreaterThan(500)
  const ofBrowsers = onlyPackages(sbom, new Set([`@ffmpeg/core@${CORE_VERSION}`]))
  expect(ofBrowsers.components).toMatchObject([
    {
      name: '@ffmpeg/core',
      licenses: [{ license: { id: 'GPL-2.0-or-later' } }],
      hashes: [{ alg: 'SHA-512' }],
      components: CORE_PARTS.map(({ name }) => ({ name })),
    },
  ])
  const refs = ofBrowsers.dependencies.map(({ ref }) => ref)
  expect(refs).toContain(`@ffmpeg/core@${CORE_VERSION}`)
  expect(refs).toHaveLength(2)
})

it('TRU-07 a wrong signature fails, and a registry that does not answer is called that', () => {
  const kind = (found: unknown) => readSignatures(JSON.stringify(found)).kind
  expect(kind({ invalid: [], missing: [] })).toBe('good')
  expect(kind({ invalid: [{ name: 'a', version: '1.0.0' }], missing: [] })).toBe('bad')
  expect(kind({ invalid: [], missing: [{ name: 'a', version: '1.0.0' }] })).toBe('bad')
  expect(kind({ error: { code: 'ENOTFOUND', summary: 'no such host' } })).toBe('unknown')
  expect(kind({ error: { code: 'E500', summary: 'down' } })).toBe('unknown')
  expect(kind({ error: { code: 'EUSAGE', summary: 'wrong' } })).toBe('bad')
  expect(readSignatures('no JSON').kind).toBe('bad')
})

it.each([
  ['good', 'knows no hole', { auditReportVersion: 2, vulnerabilities: {} }],
  ['good', 'lesser holes: a <2 (moderate)', auditOf('moderate')],
  ['bad', 'update Onecut or these packages: a <2 (high)', auditOf('high')],
  ['bad', 'a <2 (critical)', auditOf('critical')],
  ['unknown', 'not looked for', { message: '405 Method Not Allowed', statusCode: 405, error: {} }],
  ['unknown', 'not looked for', null],
] as const)('TRU-07 says that known holes are %s: %s', (kind, words, report) => {
  const verdict = readAdvisories(report === null ? '' : JSON.stringify(report))
  expect(verdict.kind).toBe(kind)
  expect(verdict.text).toContain(words)
})

const DAY_MS = 86_400_000
const TAKEN = new Date('2026-11-01T12:00:00Z')
const later = (days: number): Date => new Date(TAKEN.getTime() + days * DAY_MS)
const lockedAs = (...packages: readonly string[]): ReadonlyMap<string, string> =>
  new Map(packages.map((each) => [`node_modules/${each.split('@')[0] ?? ''}`, each]))
const none = JSON.stringify({ auditReportVersion: 2, vulnerabilities: {} })
const grave = JSON.stringify(auditOf('high'))
const silent = JSON.stringify({ statusCode: 405 })

it.each([
  ['good', '28 days ago: no hole was known in 2 of the 2', 28, none, ['a@1', 'b@1']],
  ['unknown', 'in 1 of the 2 packages that run here. Not looked up: b@2.', 1, none, ['a@1', 'b@2']],
  ['unknown', '31 days ago, which says little of today', 31, none, ['a@1', 'b@1']],
  ['bad', '400 days ago, which says little of today: update', 400, grave, ['a@1', 'b@1']],
  ['bad', 'a <2 (high). Not looked up: b@2.', 2, grave, ['a@1', 'b@2']],
  [
    'unknown',
    'in 1 of the 2 packages that run here. Not looked up: a@2.',
    2,
    grave,
    ['a@2', 'b@1'],
  ],
  ['good', 'a <2 (low)', 2, JSON.stringify(auditOf('low')), ['a@1', 'b@1']],
] as const)(
  'TRU-07 a kept answer on holes is %s of the packages here, and says its age: %s',
  (kind, words, days, answer, here) => {
    const kept = keepAdvisories(answer, null, { now: TAKEN, locked: lockedAs('a@1', 'b@1') })
    const verdict = keptVerdict(kept, { now: later(days), locked: lockedAs(...here) })
    expect(verdict.kind).toBe(kind)
    expect(verdict.text).toContain(words)
  },
)

it('TRU-07 a registry that does not answer takes nothing away, and its day is kept', () => {
  const locked = lockedAs('a@1')
  const never = keepAdvisories(silent, null, { now: TAKEN, locked })
  expect(keptVerdict(never, { now: later(3), locked })).toEqual({
    kind: 'unknown',
    text: expect.stringContaining('never looked up: on 2026-11-01 the registry did not answer'),
  })
  expect(keptVerdict(null, { now: TAKEN, locked }).text).toContain('Run npm run advisories')
  const once = keepAdvisories(grave, never, { now: later(1), locked })
  const { triedAt, answer } = keepAdvisories(silent, once, { now: later(2), locked })
  expect([triedAt, answer]).toEqual([later(2).toISOString(), once.answer])
})

it('TRU-07 what is looked up is what the lockfile has for production', () => {
  const locked = [...lockedPackages().values()]
  expect(locked).toContain('hono@4.13.19')
  expect(locked.filter((each) => /^(?:vitest|onecut|openapi)@/.test(each))).toEqual([])
})

const policyOf = (installed: string, newest: string): string =>
  `ffmpeg:\n  Installed: 7:5\n  Candidate: 7:5\n  Version table:\n *** 7:5 500\nlibx:\n  Installed: ${installed}\n  Candidate: ${newest}\n`
it.each([
  ['good', '(2 packages) are as new as the package lists of 2026-11-01', '1', '1', 3],
  ['unknown', 'which say little of today: run apt-get update', '1', '1', 30],
  [
    'bad',
    '1 of the 2 packages that ffmpeg and its confinement need are to be updated (apt-get upgrade): libx 1 to 2.',
    '1',
    '2',
    30,
  ],
  ['good', 'need (1 packages)', '(none)', '2', 3],
] as const)('TRU-07 the system is %s by its package lists: %s', (kind, words, from, to, days) => {
  const listedAt = TAKEN.toISOString()
  const verdict = systemVerdict({ policy: policyOf(from, to), listedAt }, later(days))
  expect(verdict.kind).toBe(kind)
  expect(verdict.text).toContain(words)
})

it('TRU-07 without package lists it says that nothing was looked up', () => {
  expect(systemVerdict({ policy: null, listedAt: null }, TAKEN).text).toContain('not looked up')
  const noSecurity = systemVerdict({ policy: policyOf('1', '1'), listedAt: null }, TAKEN)
  expect(noSecurity).toMatchObject({ kind: 'unknown' })
})

function auditOf(severity: string) {
  const vulnerabilities = { a: { name: 'a', severity, range: '<2', nodes: ['node_modules/a'] } }
  return { auditReportVersion: 2, vulnerabilities }
}
