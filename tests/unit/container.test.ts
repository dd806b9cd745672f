import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { projectRoot } from '#scripts/project-root.ts'
import { readSettings } from '#server/env.ts'
import { LIVENESS_PATH, READINESS_PATH } from '#server/http/readiness.ts'

interface Service {
  readonly image: string
  readonly build: { readonly dockerfile: string; readonly target: string }
  readonly environment: Readonly<Record<string, string>>
  readonly healthcheck?: { readonly test: string }
  readonly ports?: readonly string[]
  readonly cap_drop?: readonly string[]
}

let containerfile: string
let services: Readonly<Record<string, Service>>
let example: string
beforeAll(async () => {
  const read = async (file: string) => await readFile(join(projectRoot, file), 'utf8')
  containerfile = await read('container/Containerfile')
  example = await read('container/example.env')
  services = (
    parse(await read('container/compose.yaml'), { merge: true }) as {
      readonly services: typeof services
    }
  ).services
})

/** Every name that the settings are read by. */
function knownNames(): ReadonlySet<string> {
  const names = new Set<string>()
  const asked = (_env: object, name: string | symbol): undefined => void names.add(String(name))
  readSettings(new Proxy({}, { get: asked }))
  return names
}

it('SCL-10 what compose file, image and example set are settings of the server or of the database', () => {
  const known = knownNames()
  const set = Object.entries(services)
    .filter(([name]) => name !== 'database')
    .flatMap(([, { environment }]) => Object.keys(environment))
  const inImage = [...containerfile.matchAll(/^ENV (.*)$/gm)].flatMap(([, line = '']) =>
    line.split(' ').map((pair) => pair.split('=')[0] ?? ''),
  )
  const inExample = [...example.matchAll(/^#?([A-Z][A-Z0-9_]*)=/gm)].map(([, name = '']) => name)
  expect(inExample.length).toBeGreaterThan(5)
  expect([...set, ...inImage, ...inExample].filter((name) => !known.has(name))).toEqual([
    'DATABASE_PASSWORD',
  ])
  expect(Object.keys(services['database']?.environment ?? {})).toEqual(['DATABASE_PASSWORD'])
})

it('SCL-10 the example is taken as it stands once it has a password', () => {
  const lines = example.split('\n').flatMap((line) => {
    const [, name, value] = /^([A-Z][A-Z0-9_]*)=(.*)$/.exec(line) ?? []
    return name === undefined || value === undefined ? [] : [[name, value] as const]
  })
  const { environment } = services['api'] ?? { environment: {} }
  const settings = readSettings({ HOST: '0.0.0.0', ...Object.fromEntries(lines), ...environment })
  expect(settings).toMatchObject({ role: 'api', takesPayments: false })
})

it('SCL-10 files that image and compose file name are there, and the base is a Debian release', () => {
  const copied = [...containerfile.matchAll(/^COPY (?!--from)(?:--\S+ )*(.*) \S+$/gm)].flatMap(
    ([, files = '']) => files.split(' '),
  )
  expect(copied).toContain('container/start-database.sh')
  const named = [...copied, ...Object.values(services).map(({ build }) => build.dockerfile)]
  expect(named.filter((file) => !existsSync(join(projectRoot, file)))).toEqual([])
  expect(containerfile).toMatch(/^ARG BASE=\S+\/debian:[a-z]+-slim$/m)
  expect(containerfile.match(/^FROM .*$/gm)?.filter((line) => !line.includes('${BASE}'))).toEqual(
    [],
  )
  for (const { build } of Object.values(services))
    expect(containerfile).toMatch(new RegExp(`^FROM \\S+ AS ${build.target}$`, 'm'))
})

it('SCL-10 what runs is no root, has no rights, and says how it is', () => {
  const stages = containerfile.split(/^FROM /m).slice(2)
  expect(stages.map((stage) => /^USER (\S+)$/m.exec(stage)?.[1])).toEqual(['onecut', 'postgres'])
  for (const { cap_drop } of Object.values(services)) expect(cap_drop).toEqual(['ALL'])
  const asked = (name: string) => services[name]?.healthcheck?.test
  expect(asked('api')).toContain(`127.0.0.1:4400${READINESS_PATH}'`)
  expect(asked('worker')).toContain(`127.0.0.1:4401${LIVENESS_PATH}'`)
  expect(services['worker']?.environment['ONECUT_METRICS_PORT']).toBe('4401')
  expect(services['api']?.ports).toEqual(['127.0.0.1:4400:4400'])
})

it('SCL-10 a build sees no secrets and nothing that was built elsewhere', async () => {
  const ignored = (await readFile(join(projectRoot, '.dockerignore'), 'utf8')).split('\n')
  expect(ignored).toEqual(
    expect.arrayContaining([
      '**/.env',
      '**/node_modules',
      '.onecut',
      'dist',
      'dist-server',
      '.git',
    ]),
  )
})
