import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '#server/start-error.ts'

/** The file of a data folder that says that a restore into it has not ended. */
export function restoreMarkOf(dataDir: string): string {
  return join(dataDir, 'restore-unfinished')
}

/** Keeps everything away from half of a restored data folder. Throws `StartError`. */
export function refuseHalfRestored(dataDir: string): void {
  if (existsSync(restoreMarkOf(dataDir)))
    throw new StartError(
      `A restore into "${dataDir}" has not ended. Run \`npm run restore\` again, which goes on where it broke off, or empty that folder.`,
    )
}
