import { spawnSync } from 'node:child_process'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { parse } from 'yaml'
import { bundle } from '#scripts/build-server.ts'
import { projectRoot } from '#scripts/project-root.ts'
import { CHECKS_FILE } from '#server/http/contract.ts'
import type { WrittenChecks } from '#server/http/contract-checks.ts'
import { expectNoise } from '#tests/setup/fail-on-noise.ts'
import { PROGRAM_FLAGS } from '#tests/setup/server-programs.ts'

const TITLE = 'tried-bundle'
/** Below the root, where `#` imports and packages are found. */
const folder = 'node_modules/.cache/onecut/tried-sources'
const entry = `${folder}/program.ts`
const build = () => bundle(TITLE, { program: entry }, [folder])

beforeEach(async () => {
  await mkdir(join(projectRoot, folder), { recursive: true })
  await writeProgram('first')
})
afterEach(async () => {
  await rm(join(projectRoot, folder), { recursive: true })
  for (const name of await bundles())
    await rm(join(projectRoot, 'dist-server', name), { recursive: true })
})

it('is made once for processes that ask at once, knows the root, has the contract, and names its sources in stacks', async () => {
  const [first, ...others] = await Promise.all([build(), build(), build()])
  expect(others).toEqual([first, first])
  expect(await bundles()).toHaveLength(1)
  const document = await readFile(join(projectRoot, 'openapi/openapi.yaml'), 'utf8')
  expect(JSON.parse(await readFile(join(first, 'contract.json'), 'utf8'))).toEqual(parse(document))
  const checks = createRequire(import.meta.url)(join(first, CHECKS_FILE)) as WrittenChecks
  expect(checks.firstBody['createOrder']?.({})).toBe(false)
  const { stdout, stderr } = run(first)
  expect(stdout).toBe(`first ${projectRoot}\n`)
  expect(stderr).toMatch(/at fail \(.*tried-sources\/program\.ts:3:\d+\)/)
})

it('is made again when a source changes, and beside the one that may be running', async () => {
  const first = await build()
  expect(await build()).toBe(first)
  await writeProgram('second')
  const second = await build()
  expect(run(second).stdout).toContain('second')
  expect(run(first).stdout).toContain('first')
})

it('leaves nothing where its sources cannot be bundled', async () => {
  expectNoise(/Build failed/)
  await writeFile(join(projectRoot, entry), 'export const broken = (')
  await expect(build()).rejects.toThrow('program.ts')
  expect(await bundles()).toEqual([])
  expect((await readdir(join(projectRoot, 'dist-server'))).join()).not.toContain('unfinished')
})

async function writeProgram(word: string): Promise<void> {
  const text = `import { projectRoot } from '#server/project-root.ts'
const fail = (): never => {
  throw new Error('on purpose')
}
process.stdout.write('${word} ' + projectRoot + '\\n')
fail()
`
  await writeFile(join(projectRoot, entry), text)
}

async function bundles(): Promise<string[]> {
  const names = await readdir(join(projectRoot, 'dist-server'))
  return names.filter((name) => name.startsWith(TITLE))
}

function run(built: string) {
  const program = join(built, 'program.mjs')
  return spawnSync(process.execPath, [...PROGRAM_FLAGS, program], {
    encoding: 'utf8',
    cwd: dirname(built),
  })
}
