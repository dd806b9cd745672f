/**
 * `npm run lint`: the formatter, the linter with the import rules, exports and packages that
 * nothing uses, the length of classes, the doors for globals, words, links to documents, what tests
 * must not do, and the acceptance table.
 */
import { spawnSync } from 'node:child_process'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkAcceptance } from '#scripts/check-acceptance.ts'
import { checkClasses } from '#scripts/check-classes.ts'
import { checkGlobalDoors } from '#scripts/check-global-doors.ts'
import { checkLinks } from '#scripts/check-links.ts'
import { checkProse } from '#scripts/check-prose.ts'
import { checkTests } from '#scripts/check-tests.ts'
import { lintConfig } from '#scripts/lint-config.ts'
import { projectRoot } from '#scripts/project-root.ts'

const folders = { features: await foldersIn('src/features'), workers: await foldersIn('workers') }
// At the root, because the linter takes paths in it from where it lies; generated, so not checked
// in.
const configFile = join(projectRoot, '.oxlintrc.json')
await writeFile(configFile, JSON.stringify(lintConfig(folders), null, 2))

const isLaidOut = passes('oxfmt', ['--check'])
const isLinted = passes('oxlint', [
  '--type-aware',
  '--deny-warnings',
  '-c',
  configFile,
  ...process.argv.slice(2),
])
// Named in CSS, or started by path: knip.json leaves those packages out.
const isAllUsed = passes('knip', ['--no-progress', '--no-config-hints'])
const complaints = [
  ...(await checkClasses(projectRoot)),
  ...(await checkGlobalDoors(projectRoot)),
  ...(await checkProse(projectRoot)),
  ...(await checkLinks(projectRoot)),
  ...(await checkTests(projectRoot)),
  ...(await checkAcceptance(projectRoot)),
]
for (const complaint of complaints) process.stderr.write(`${complaint}\n`)
process.exitCode = isLaidOut && isLinted && isAllUsed && complaints.length === 0 ? 0 : 1

function passes(tool: string, args: readonly string[]): boolean {
  const path = join(projectRoot, 'node_modules/.bin', tool)
  return spawnSync(path, args, { cwd: projectRoot, stdio: 'inherit' }).status === 0
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(join(projectRoot, folder), { withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}
