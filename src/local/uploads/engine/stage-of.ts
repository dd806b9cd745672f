import type { DriveStage } from './drive.ts'
import { stageOfKind } from '#src/local/db/upload-states.ts'
import type { UploadRow } from '#src/local/db/rows.ts'

export type Stage = Exclude<DriveStage, 'begin'> | 'idle' | 'browser' | 'over'

/** What has to be done for an upload in its state. */
export function stageOf(row: UploadRow): Stage {
  const stage = stageOfKind(row.state.kind)
  return stage === 'send' && row.state.kind === 'waiting' && row.plan === null ? 'prepare' : stage
}

/**
 * True for an excerpt that can be sent now: videos stand back for it. One that waits for a person,
 * or for what the server refuses, keeps no video waiting.
 */
export function isSentFirst(row: UploadRow): boolean {
  if (row.purpose !== 'excerpt') return false
  const { state } = row
  if (state.kind === 'waiting') return state.wait.reason === 'network'
  const stage = stageOf(row)
  return stage === 'prepare' || stage === 'send'
}
