import { useNavigate } from 'react-router'
import { useAccount, useLocal } from '#src/hooks/device/local-context.ts'
import { useOutboxActions } from '#src/hooks/sync/use-outbox.ts'
import { choicePath, redoSelectionKey } from '#src/local/edits/redo.ts'
import { saveSelection } from '#src/local/edits/selections.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'

/** What was chosen, and for what. */
interface UnpaidChoice {
  readonly uploadRequestId: string
  readonly requests: readonly TaskRequest[]
  /** The delivered edit that is made again; null for all other orders. */
  readonly redoOfTaskId: string | null
  /** What this device still has to send of it, which is taken back; null for nothing. */
  readonly submissionId: string | null
}

/**
 * Opens what was chosen and is not paid, to be changed: the formats of its video, or its redo.
 * Takes the place of the page, which follows again after Submit, so that Back finds it once.
 */
export function useChangeChoice(): (choice: UnpaidChoice) => Promise<void> {
  const keep = useKeepChoice()
  const outbox = useOutboxActions()
  const navigate = useNavigate()
  return async ({ uploadRequestId, requests, redoOfTaskId, submissionId }) => {
    await keep(redoOfTaskId === null ? uploadRequestId : redoSelectionKey(redoOfTaskId), requests)
    if (submissionId !== null) await outbox?.discard(submissionId)
    await navigate(choicePath(uploadRequestId, redoOfTaskId), { replace: true })
  }
}

/** Saves what is chosen under a key; nothing happens without an account. */
function useKeepChoice() {
  const { clock } = useLocal()
  const account = useAccount()
  return async (key: string, requests: readonly TaskRequest[]) => {
    if (account !== null) await saveSelection(account.db, key, requests, clock.now())
  }
}
