import { open, readFile, rename, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StartError } from '#server/start-error.ts'

/** What a file of keys holds, as JSON, or null when there is none. Throws `StartError`. */
export async function readKeyFile(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw new StartError(`The keys in ${file} cannot be read (${error.message}).`)
  })
  if (text === null) return null
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw damaged(file)
  }
}

/** The file is there and holds no keys; its content is never replaced without a word. */
export function damaged(file: string): StartError {
  return new StartError(
    `The keys in ${file} are damaged; restore the file from a backup, or remove it, after which links in mails and uploads under way have to begin again.`,
  )
}

/**
 * Writes a file of keys that only its owner may read. Whole or not at all, and durable when it
 * returns. A file that root replaces stays its owner's, as the server may run as that user. Throws
 * `StartError`.
 */
export async function writeKeyFile(file: string, content: unknown): Promise<void> {
  const unfinished = `${file}.new`
  try {
    {
      await using handle = await open(unfinished, 'w', 0o600)
      // One that was left behind by a crash keeps its own mode.
      await handle.chmod(0o600)
      const old = process.getuid?.() === 0 ? await stat(file).catch(() => null) : null
      if (old !== null) await handle.chown(old.uid, old.gid)
      await handle.writeFile(`${JSON.stringify(content, null, 2)}\n`)
      await handle.sync()
    }
    await rename(unfinished, file)
    await using folder = await open(dirname(file), 'r')
    await folder.sync()
  } catch (error) {
    throw new StartError(
      `The keys cannot be written to ${file} (${error instanceof Error ? error.message : String(error)}); set ONECUT_KEYS_FILE to a file in a folder that Onecut may write.`,
    )
  }
}
