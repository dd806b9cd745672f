import { rename, writeFile } from 'node:fs/promises'

/**
 * Moves the clock of `clock-server.ts` by so many milliseconds. The file is replaced as a whole:
 * one that is written in place is empty for a moment, and what the server books in that moment
 * stands on the day of the sign-up, before what it follows.
 */
export async function moveTestClock(file: string, byMs: number): Promise<void> {
  await writeFile(`${file}.next`, String(byMs))
  await rename(`${file}.next`, file)
}
