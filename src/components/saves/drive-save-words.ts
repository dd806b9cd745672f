import type { components } from '#openapi/schema.gen.ts'
import type { DriveSave } from './use-drive-saves.ts'
import { formatBytes } from '#src/lib/bytes.ts'

type Task = components['schemas']['MediaJob']['tasks'][number]

/** The edits that have files. */
export function savableTasks<T extends Pick<Task, 'outputs'>>(tasks: readonly T[]): T[] {
  return tasks.filter(({ outputs }) => outputs.some(({ kind }) => kind === 'download-button'))
}

/** The bytes of files that are under way, and how many of them the drive has. */
export function bytesOf(saves: readonly Pick<DriveSave, 'sizeBytes' | 'savedBytes'>[]): {
  readonly sizeBytes: number
  readonly savedBytes: number
} {
  return {
    sizeBytes: saves.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    savedBytes: saves.reduce((sum, { savedBytes }) => sum + savedBytes, 0),
  }
}

/** What is to be said of files that are under way, of the one that is furthest. */
export function underWayWords(saves: readonly DriveSave[]): string {
  const { sizeBytes, savedBytes } = bytesOf(saves)
  const amounts = `${formatBytes(savedBytes)} of ${formatBytes(sizeBytes)}`
  if (saves.some(({ state }) => state === 'saving')) return `Saving to Google Drive: ${amounts}`
  const waits = new Set(saves.map(({ waitsFor }) => waitsFor))
  if (waits.has('sign-in')) return 'Please reconnect your Google account first...'
  const resting = saves.find(({ waitsFor }) => waitsFor === 'drive')
  if (resting === undefined) return 'Waits its turn to be saved to Google Drive'
  return `Google Drive did not answer, or asked us to wait: ${amounts}. ${againWords(resting)}`
}

function againWords({ nextAttemptInSeconds }: DriveSave): string {
  const seconds = nextAttemptInSeconds ?? 0
  if (seconds < 90) return 'The server tries again in a moment.'
  return `The server tries again in about ${Math.round(seconds / 60)} minutes.`
}
