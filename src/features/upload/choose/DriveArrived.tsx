import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { ApiFailure } from '#src/api/errors.ts'
import { forgetArrival, readDriveArrival } from '#src/components/drive/arrival.ts'
import { useArrival } from '#src/components/drive/use-arrival.ts'
import { HelpLink } from '#src/components/help/HelpLink.tsx'
import { serverProblemCopy } from '#src/components/problem/server-copy.ts'
import { paths } from '#src/config/paths.ts'
import { useImportFile } from '#src/features/upload/imports/use-import-file.ts'
import { useNounList } from '#src/hooks/sync/use-noun.ts'
import { externalAuths } from '#src/local/nouns/external-auths.ts'
import { Notice } from '#src/ui/Notice.tsx'
import { Spinner } from '#src/ui/Spinner.tsx'

/** What a visit to Google brought: a chosen video, whose import begins here, or a connection. */
export function DriveArrived() {
  const [arrival] = useState(() => readDriveArrival(sessionStorage))
  if (arrival === null) return null
  const { externalAuthId, googleDriveFileId, renews } = arrival
  return externalAuthId === null || googleDriveFileId === null ? (
    <Connection />
  ) : (
    <Chosen file={{ externalAuthId, googleDriveFileId }} renews={renews} />
  )
}

function Connection() {
  const failure = useArrival(useNounList(externalAuths))
  return failure === null ? null : (
    <Notice kind="error" isLive className="mb-6">
      {failure}
    </Notice>
  )
}

interface ChosenProps {
  readonly file: { readonly externalAuthId: string; readonly googleDriveFileId: string }
  readonly renews: string | null
}

function Chosen({ file, renews }: ChosenProps) {
  const failure = useImportOf({ file, renews })
  if (failure === null)
    return (
      <p role="status" className="mb-6 flex items-center gap-3">
        <Spinner />
        Asking Google Drive for your video
      </p>
    )
  const { title, body } = serverProblemCopy(failure)
  return (
    <Notice kind="error" isLive title={title} className="mb-6">
      {body} <HelpLink slug="drive" />
    </Notice>
  )
}

/** Begins the import, and leads to the next step. Returns why there is none. */
function useImportOf({ file, renews }: ChosenProps): ApiFailure | null {
  const navigate = useNavigate()
  const { mutateAsync } = useImportFile(renews)
  const [failure, setFailure] = useState<ApiFailure | null>(null)
  const isBegun = useRef(false)
  useEffect(() => {
    forgetArrival(sessionStorage)
    // Once, however often effects run.
    if (isBegun.current) return
    isBegun.current = true
    void mutateAsync({ provider: 'google-drive-picker-single-file', ...file }).then((begun) => {
      if (begun.ok) void navigate(paths.newMediaJob(begun.value.uploadRequestId))
      else setFailure(begun.error)
    })
  }, [file, mutateAsync, navigate])
  return failure
}
