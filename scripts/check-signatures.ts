/**
 * `npm run signatures`: compares the installed packages with the registry's signatures. A package
 * that is not what its publisher signed fails. Without a registry that answers nothing is known,
 * and the script says so and does not fail.
 */
import { spawnSync } from 'node:child_process'
import { projectRoot } from '#scripts/project-root.ts'
import { readSignatures } from '#scripts/signatures.ts'

const args = ['audit', 'signatures', '--json', '--fetch-retries=0', '--loglevel=silent']
const { stdout } = spawnSync('npm', args, { cwd: projectRoot, encoding: 'utf8' })
const verdict = readSignatures(stdout)
process.stdout.write(`${verdict.text}\n`)
process.exitCode = verdict.kind === 'bad' ? 1 : 0
