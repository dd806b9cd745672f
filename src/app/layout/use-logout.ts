import { useState } from 'react'
import { useNavigate } from 'react-router'
import { isLostByLogout } from '#src/local/db/upload-states.ts'
import { paths } from '#src/config/paths.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import { useCountMadeEdits } from '#src/hooks/edits/use-made-edits.ts'
import { useWholeLive } from '#src/hooks/sync/use-live.ts'
import { useSignOut } from './use-sign-out.ts'
import { useReadUploads, useUploads } from '#src/hooks/uploads/use-uploads.ts'

export interface Logout {
  /**
   * Logs out at once, or asks first where unfinished uploads would be given up, or edits removed
   * that only this device has.
   */
  readonly start: () => void
  readonly confirm: () => void
  readonly cancel: () => void
  readonly isAsking: boolean
  readonly isBusy: boolean
  /** Names of the files whose uploads would be given up. */
  readonly unfinished: readonly string[]
  /** How many edits that this device made would be removed. */
  readonly madeCount: number
  /** How many finished files leave this device. */
  readonly keptCount: number
}

/**
 * Signs out, forgets what this tab kept, and goes to the log-in page in place of the history's
 * entry.
 */
export function useLogout(): Logout {
  const signOut = useSignOut()
  const navigate = useNavigate()
  const uploads = useUploads()
  const readUploads = useReadUploads()
  const countMade = useCountMadeEdits()
  const [madeCount, setMadeCount] = useState(0)
  const [isAsking, setIsAsking] = useState(false)
  const unfinished = lostNames(uploads ?? [])
  const kept = useWholeLive('kept-count', (db) => db.keptFiles.count())
  const leave = async () => {
    await signOut.mutateAsync()
    sessionStorage.clear()
    setIsAsking(false)
    await navigate(paths.logIn, { replace: true })
  }
  const confirm = () => {
    if (!signOut.isPending) void leave()
  }
  const start = async () => {
    // Read at the press: what the menu shows may not be read yet. One may always log out.
    const read = await readUploads().catch(() => [])
    const count = await countMade().catch(() => 0)
    setMadeCount(count)
    if (lostNames(read).length + count > 0) setIsAsking(true)
    else confirm()
  }
  return {
    start: () => void start(),
    confirm,
    cancel: () => setIsAsking(false),
    isAsking: isAsking && unfinished.length + madeCount > 0,
    isBusy: signOut.isPending,
    unfinished,
    madeCount,
    keptCount: kept.kind === 'ready' ? kept.value : 0,
  }
}

/** A refused file is nothing to lose; one that is being checked has arrived whole. */
function lostNames(uploads: readonly UploadRow[]): readonly string[] {
  return uploads.filter(({ state }) => isLostByLogout(state.kind)).map(({ file }) => file.name)
}
