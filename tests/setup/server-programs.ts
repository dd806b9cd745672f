import { join } from 'node:path'
import { buildServer, bundle, SERVER_INPUTS } from '#scripts/build-server.ts'
import { projectRoot } from '#scripts/project-root.ts'

/** Programs of the tests that contain the server. */
const OURS = {
  'clock-server': 'tests/setup/clock-server.ts',
  'dying-server': 'tests/setup/dying-server.ts',
  'import-server': 'tests/setup/import-server.ts',
  'odd-server': 'tests/setup/odd-server.ts',
  'worker-process': 'tests/fixtures/worker-process.ts',
} as const
const OUR_INPUTS = [
  ...SERVER_INPUTS,
  ...Object.values(OURS),
  'tests/setup/after-statement.ts',
  'tests/setup/full-disk.ts',
  'tests/setup/no-searches.ts',
]

/** For Node: stack traces name the sources, and compiled code is kept from start to start. */
export const PROGRAM_FLAGS = ['--enable-source-maps']
export const PROGRAM_ENV = {
  NODE_COMPILE_CACHE: join(projectRoot, 'node_modules/.cache/onecut/compiled'),
}

const known = new Map<string, Promise<string>>()

/**
 * The bundle of the server, or of a program of the tests that contains it; made if its sources
 * changed since the last time. Sources are looked at once a process.
 * @param entry relative to the project's root
 */
export async function serverProgram(entry = 'server/src/main.ts'): Promise<string> {
  const program = known.get(entry) ?? findProgram(entry)
  known.set(entry, program)
  return await program
}

async function findProgram(entry: string): Promise<string> {
  if (entry === 'server/src/main.ts') return await buildServer()
  const name = Object.entries(OURS).find(([, path]) => path === entry)?.[0]
  if (name === undefined) throw new Error(`${entry} is not among the programs in this file.`)
  return join(await bundle('test-servers', OURS, OUR_INPUTS), `${name}.mjs`)
}
