import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { CORE_PARTS, CORE_VERSION } from '#scripts/licences/core-parts.ts'
import { packageFolderOf, productionFolders, readLicence } from '#scripts/licences/packages.ts'
import { onlyPackages, readSbom, type Sbom } from '#scripts/licences/sbom.ts'
import { projectRoot } from '#scripts/project-root.ts'
import { keptVerdict, readAdvisories } from '#scripts/advisories.ts'
import { readSignatures } from '#scripts/signatures.ts'

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

it.each([
  ['good', 'Kept (2026-11-01, 28 days old): The registry knows no hole', 28, 'these', null],
  ['unknown', '1 day old), of other packages', 1, 'others', null],
  ['unknown', '31 days old), too old', 31, 'these', null],
  ['bad', '400 days old): The registry knows holes', 400, 'these', 'high'],
  ['bad', 'of other packages: The registry knows holes', 2, 'others', 'high'],
] as const)(
  'TRU-07 a kept answer on holes is %s, and says its age: %s',
  (kind, words, days, lockfile, hole) => {
    const report = hole === null ? { auditReportVersion: 2, vulnerabilities: {} } : auditOf(hole)
    const kept = JSON.stringify({ takenAt: '2026-11-01T12:00:00Z', lockfile, report })
    const now = new Date(Date.parse('2026-11-01T12:00:00Z') + days * 86_400_000)
    const verdict = keptVerdict(kept, { now, lockfile: 'these' })
    expect(verdict.kind).toBe(kind)
    expect(verdict.text).toContain(words)
  },
)

it('TRU-07 where no answer on holes was ever kept, it says how to get one', () => {
  const verdict = keptVerdict(null, { now: new Date(), lockfile: 'these' })
  expect(verdict).toEqual({ kind: 'unknown', text: expect.stringContaining('npm run advisories') })
})

function auditOf(severity: string) {
  const vulnerabilities = { a: { name: 'a', severity, range: '<2' } }
  return { auditReportVersion: 2, vulnerabilities }
}
