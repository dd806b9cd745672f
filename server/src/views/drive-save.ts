import type { components } from '#openapi/schema.gen.ts'
import type { DriveSaveRow } from '#server/db/rows.ts'
import type { DriveSaveFacts } from '#server/operations/processing/drive-saves/facts.ts'

type DriveSaveView = components['schemas']['DriveSave']

const FAILURES = {
  'drive-full': 'Your Google Drive is full. Please make room there, and try again.',
  refused: 'Google Drive did not take this file. Please try again, or download it.',
  silent: 'Google Drive took nothing for 24 hours. Please try again.',
  damaged:
    'What arrived in Google Drive was not what was sent, so it was removed there. Please try again.',
  'file-gone': 'The server does not have this file any more.',
} as const satisfies Record<NonNullable<DriveSaveRow['failure']>, string>

/** A file on its way to a drive, or there. Where its bytes go is for the server alone. */
export function viewDriveSave(facts: DriveSaveFacts): DriveSaveView {
  const { save, output, mediaJobId } = facts
  const { failure, fileId } = save
  const sizeBytes = output.sizeBytes ?? 0
  return {
    _id: save.id,
    mediaJobId,
    taskId: output.taskId,
    outputId: save.outputId,
    externalAuthId: save.externalAuthId,
    fileName: output.fileName ?? '',
    sizeBytes,
    savedBytes: save.state === 'saved' ? sizeBytes : save.savedBytes,
    state: stateOf(facts),
    waitsFor: facts.waitsFor,
    nextAttemptInSeconds: facts.nextInS,
    driveUrl:
      save.state === 'saved' && fileId !== null
        ? `https://drive.google.com/file/d/${encodeURIComponent(fileId)}/view`
        : null,
    failure: failure === null ? null : { code: failure, message: FAILURES[failure] },
    createdAt: save.createdAt.toISOString(),
  }
}

function stateOf({ save, isRunning }: DriveSaveFacts): DriveSaveView['state'] {
  if (save.state !== 'open') return save.state
  return isRunning ? 'saving' : 'waiting'
}
