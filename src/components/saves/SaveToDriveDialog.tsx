import { useState, type ReactNode } from 'react'
import type { components } from '#openapi/schema.gen.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import { SendButton } from '#src/components/help/SendButton.tsx'
import { HelpLink } from '#src/components/help/HelpLink.tsx'
import { ProblemNotice } from '#src/components/help/ProblemNotice.tsx'
import { PullFailure } from '#src/components/help/PullFailure.tsx'
import { serverProblemCopy } from '#src/components/problem/server-copy.ts'
import { useStartDriveSaves } from './use-drive-saves.ts'
import { useNounList } from '#src/hooks/sync/use-noun.ts'
import { externalAuths, type ExternalAuth } from '#src/local/nouns/external-auths.ts'
import { Dialog } from '#src/ui/Dialog.tsx'
import { SelectField } from '#src/ui/SelectField.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { ConnectDrive } from '#src/components/drive/ConnectDrive.tsx'
import { EditChoice } from './EditChoice.tsx'
import { savableTasks } from './drive-save-words.ts'

type MediaJob = components['schemas']['MediaJob']
/** A job whose finished edits can be saved. */
export type SavableJob = Pick<MediaJob, '_id' | 'tasks'>

interface SaveToDriveDialogProps {
  readonly job: SavableJob
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Asks which finished edits go to which drive; where there is none, leads to connecting one. */
export function SaveToDriveDialog({ isOpen, ...props }: SaveToDriveDialogProps) {
  // Its contents only while it is open: they ask Google whether it still lets the server in.
  return isOpen ? <OpenDialog {...props} /> : null
}

function OpenDialog({ job, onClose }: Omit<SaveToDriveDialogProps, 'isOpen'>) {
  const auths = useNounList(externalAuths)
  const connected = (auths.data ?? []).filter(({ disconnectedAt }) => disconnectedAt === null)
  const usable = connected.filter(isUsable)
  if (usable.length > 0) return <ChooseEdits job={job} drives={usable} onClose={onClose} />
  return (
    <Frame onClose={onClose}>
      <PullFailure pull={auths} title="Unable to fetch your integrations" />
      {auths.data === null && auths.failure === null ? (
        <div role="status" aria-label="Loading your integrations">
          <Skeleton className="h-20" />
        </div>
      ) : null}
      {auths.data === null ? null : <NoUsableDrive drive={connected[0]} />}
    </Frame>
  )
}

/** Why nothing can be saved yet, and the way to it. */
function NoUsableDrive({ drive }: { readonly drive: ExternalAuth | undefined }) {
  if (drive === undefined)
    return (
      <Way label="Connect Google Drive">
        The server can put finished edits into your Google Drive, into a folder for each video.
        Connect your drive first.
      </Way>
    )
  if (drive.externalAuthCredentials.refreshTokenIsExpired)
    return <Way label="Reconnect">Please reconnect your Google account first...</Way>
  return (
    <Way label="Reauthorize">
      This connection can read files of your drive, but save none. Allow the server to save files
      when Google asks.
    </Way>
  )
}

function Way({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="flex flex-col items-start gap-4">
      <p>
        {children} <HelpLink slug="drive" />
      </p>
      <ConnectDrive label={label} provider="google-oauth" />
    </div>
  )
}

function ChooseEdits({
  job,
  drives,
  onClose,
}: Pick<SaveToDriveDialogProps, 'job' | 'onClose'> & {
  readonly drives: readonly ExternalAuth[]
}) {
  const tasks = savableTasks(job.tasks)
  const [left, setLeft] = useState<readonly string[]>([])
  const [driveId, setDriveId] = useState(drives[0]?._id ?? '')
  const [failure, setFailure] = useState<ApiFailure | null>(null)
  const { mutateAsync, isPending } = useStartDriveSaves()
  const taskIds = tasks.map(({ _id }) => _id).filter((id) => !left.includes(id))
  const start = async () => {
    setFailure(null)
    const wanted = { mediaJobId: job._id, externalAuthId: driveId, taskIds }
    const done = await mutateAsync(wanted)
    if (done.ok) onClose()
    else setFailure(done.error)
  }
  return (
    <Frame
      onClose={onClose}
      footer={
        <SendButton
          sends="POST /v1/media-jobs/{id}/drive-saves"
          onPress={() => void start()}
          isBusy={isPending}
          isDisabled={taskIds.length === 0 || driveId === ''}
        >
          Save
        </SendButton>
      }
    >
      <p className="mb-2">
        The server saves the files into the folder &quot;Onecut&quot; of your drive. You can close
        this page meanwhile.
      </p>
      <EditChoice tasks={tasks} left={left} onChange={setLeft} />
      {drives.length < 2 ? null : (
        <DriveChoice drives={drives} driveId={driveId} onChange={setDriveId} />
      )}
      <ProblemNotice
        problem={failure === null ? null : serverProblemCopy(failure)}
        className="mt-4"
      />
    </Frame>
  )
}

function DriveChoice({
  drives,
  driveId,
  onChange,
}: {
  readonly drives: readonly ExternalAuth[]
  readonly driveId: string
  readonly onChange: (driveId: string) => void
}) {
  return (
    <SelectField
      label="Google account"
      value={driveId}
      options={drives.map(({ _id, externalAuthCredentials }) => ({
        value: _id,
        label: externalAuthCredentials.googleAccountEmail ?? 'Google Drive',
      }))}
      onChange={onChange}
      className="mt-3"
    />
  )
}

function Frame({
  onClose,
  footer,
  children,
}: Pick<SaveToDriveDialogProps, 'onClose'> & {
  readonly footer?: ReactNode
  readonly children: ReactNode
}) {
  return (
    <Dialog
      title="Save to Google Drive"
      isOpen
      onClose={onClose}
      {...(footer === undefined ? {} : { footer })}
    >
      {children}
    </Dialog>
  )
}

function isUsable({ externalAuthCredentials }: ExternalAuth): boolean {
  const { hasSaveFilePermission, refreshTokenIsExpired } = externalAuthCredentials
  return hasSaveFilePermission && !refreshTokenIsExpired
}
