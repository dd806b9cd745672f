import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Confinement } from './methods.ts'

/**
 * Whether a tool under this confinement can start a program: bubblewrap shows it to every user, and
 * without it a user other than the server's needs an open way there.
 */
export async function canStart({ kind, uid }: Confinement, program: string): Promise<boolean> {
  if (kind === 'bubblewrap' || uid === null) return true
  for (let path = program; ; path = dirname(path)) {
    const { mode } = await stat(path)
    if ((mode & 0o001) === 0) return false
    if (dirname(path) === path) return true
  }
}
