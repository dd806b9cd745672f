import { useNavigate } from 'react-router'
import { useAccount, useLocal } from './local-context.ts'
import { paths } from '#src/config/paths.ts'
import { saveSelection } from '#src/local/edits/selections.ts'
import type { MediaJob } from './use-library.ts'

/** Opens the formats of a job's video with its edits chosen, to be changed and ordered. */
export function useOrderAgain(): (
  job: Pick<MediaJob, 'uploadRequestId' | 'mediaJobTaskRequests'>,
  options?: { readonly replace: boolean },
) => Promise<void> {
  const { clock } = useLocal()
  const account = useAccount()
  const navigate = useNavigate()
  return async ({ uploadRequestId, mediaJobTaskRequests }, options) => {
    if (account === null) return
    await saveSelection(account.db, uploadRequestId, mediaJobTaskRequests, clock.now())
    await navigate(paths.newMediaJob(uploadRequestId), options)
  }
}
