/**
 * `npm run lint`: the linter with the import rules, the doors for globals, and the acceptance
 * table.
 */
import { spawnSync } from 'node:child_process'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkAcceptance } from '#scripts/check-acceptance.ts'
import { checkGlobalDoors } from '#scripts/check-global-doors.ts'
import { lintConfig } from '#scripts/lint-config.ts'
import { projectRoot } from '#scripts/project-root.ts'

const folders = { features: await foldersIn('src/features'), workers: await foldersIn('workers') }
// At the root, because the linter takes paths in it from where it lies; generated, so not checked
// in.
const configFile = join(projectRoot, '.oxlintrc.json')
await writeFile(configFile, JSON.stringify(lintConfig(folders), null, 2))

const { status } = spawnSync(
  join(projectRoot, 'node_modules/.bin/oxlint'),
  ['--type-aware', '--deny-warnings', '-c', configFile, ...process.argv.slice(2)],
  { cwd: projectRoot, stdio: 'inherit' },
)
const complaints = [
  ...(await checkGlobalDoors(projectRoot)),
  ...(await checkAcceptance(projectRoot)),
]
for (const complaint of complaints) process.stderr.write(`${complaint}\n`)
process.exitCode = status !== 0 || complaints.length > 0 ? 1 : 0

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(join(projectRoot, folder), { withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}
