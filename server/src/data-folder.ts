import { chmod, mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** What others may do in a folder: nothing, or pass through to what they know the name of. */
const CLOSED = 0o700
const PASSED_THROUGH = 0o711

/**
 * Makes the data folder, and those of files and attempts, and takes from other users what they do
 * not need. Where the server is root, its media tools and the embedded database run as other users,
 * who pass through; what the data folder gives to its group stays as the operator has it.
 */
export async function makeDataFolder(
  { dataDir, scratchDir }: { readonly dataDir: string; readonly scratchDir: string },
  isRoot = process.getuid?.() === 0,
): Promise<void> {
  const passed = isRoot ? PASSED_THROUGH : CLOSED
  await mkdir(dataDir, { recursive: true, mode: passed })
  const mode = (await stat(dataDir)).mode & 0o777
  const kept = mode & (0o770 | passed)
  if (kept !== mode) await chmod(dataDir, kept)
  await makeClosed(scratchDir, passed)
  await makeClosed(join(dataDir, 'store'), CLOSED)
}

async function makeClosed(folder: string, mode: number): Promise<void> {
  await mkdir(folder, { recursive: true, mode })
  await chmod(folder, mode)
}
