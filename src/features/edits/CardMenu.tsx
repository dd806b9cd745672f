import { CloudUpload, EllipsisVertical, Eye, EyeOff, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { ApiFailure } from '#src/api/errors.ts'
import {
  DeleteStoredDialog,
  type DeleteQuestion,
} from '#src/components/jobs/DeleteStoredDialog.tsx'
import { savableTasks } from '#src/components/saves/drive-save-words.ts'
import { SaveDialogs } from '#src/components/saves/SaveDialogs.tsx'
import { serverProblemCopy } from '#src/components/problem/server-copy.ts'
import { useCapabilities } from '#src/hooks/server/use-capabilities.ts'
import type { MediaJob } from '#src/hooks/edits/use-library.ts'
import { useHiddenScenes } from '#src/hooks/edits/use-hidden-scenes.ts'
import { useOutboxActions } from '#src/hooks/sync/use-outbox.ts'
import { SAVE_LABELS, useSaveWays, type SaveWay } from '#src/components/saves/use-save-ways.ts'
import { useDeleteStored } from '#src/hooks/account/use-storage.ts'
import { Menu } from '#src/ui/Menu.tsx'
import { MenuItem } from '#src/ui/MenuItem.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { useToasts } from '#src/ui/toasts-context.ts'
import type { LibraryVideo } from './arrange-library.ts'
import { RenameDialog } from './RenameDialog.tsx'
import { paths } from '#src/config/paths.ts'

const WHEN_ONLINE = 'When you are online.'

interface CardMenuProps {
  readonly video: LibraryVideo
  /** As the menu is told from those of other cards. */
  readonly label: string
  readonly isOnline: boolean
  /** Of its newest order. */
  readonly job: MediaJob
  /** The card shows one order; of several, each has its own ways to clouds beside its edits. */
  readonly isSingle: boolean
}

/** What a person can do with the video of a card: rename it, order more of it, delete it. */
export function CardMenu({ video, label, job, isOnline, isSingle }: CardMenuProps) {
  const outbox = useOutboxActions()
  const [isRenaming, setRenaming] = useState(false)
  const [saving, setSaving] = useState<SaveWay | null>(null)
  const deletion = useAskedDeletion()
  const { uploadRequestId, name, isAtWork } = video
  const ask = (what: DeleteQuestion['what']) =>
    deletion.ask({ uploadRequestId, name, what, sizeBytes: null })
  return (
    <>
      <Menu
        label={`Actions for ${label}`}
        triggerLabel={`More actions for ${label}`}
        trigger={<EllipsisVertical aria-hidden className="size-5" />}
        triggerClassName="inline-flex size-11 shrink-0 cursor-pointer items-center justify-center rounded-full text-ink-muted transition hover:bg-surface-sunken hover:text-ink"
      >
        <MenuItem icon={<Pencil aria-hidden />} onAction={() => setRenaming(true)}>
          Rename
        </MenuItem>
        {job.isMediaWorkflowStarted ? (
          <MenuItem icon={<Plus aria-hidden />} href={paths.newMediaJob(uploadRequestId)}>
            More edits of this video
          </MenuItem>
        ) : null}
        <HideItem uploadRequestId={uploadRequestId} />
        {isSingle ? <SaveItems job={job} isOnline={isOnline} onAction={setSaving} /> : null}
        <Deletions obstacle={deletionObstacle({ isOnline, isAtWork })} onAsk={ask} />
      </Menu>
      <RenameDialog
        isOpen={isRenaming}
        name={name}
        onRename={(next) => {
          setRenaming(false)
          void outbox?.rename({ mediaJobId: job._id, uploadRequestId, name: next })
        }}
        onClose={() => setRenaming(false)}
      />
      <SaveDialogs job={job} way={saving} onClose={() => setSaving(null)} />
      <DeleteStoredDialog {...deletion.dialog} />
      {deletion.failure === null ? null : (
        <Notice kind="error" isLive title="The files could not be deleted" className="basis-full">
          {serverProblemCopy(deletion.failure).title}
        </Notice>
      )}
    </>
  )
}

/** Hides the video on this device, or shows it again; nothing without an app lock. */
function HideItem({ uploadRequestId }: Pick<LibraryVideo, 'uploadRequestId'>) {
  const hidden = useHiddenScenes()
  const toasts = useToasts()
  if (hidden === null) return null
  const isHidden = hidden.isHidden(uploadRequestId)
  const change = () =>
    hidden.hide(uploadRequestId, !isHidden).then(
      () => (isHidden ? undefined : toasts.show('success', 'Hidden on this device.')),
      () => toasts.show('error', 'This device could not keep your choice.'),
    )
  return (
    <MenuItem
      icon={isHidden ? <Eye aria-hidden /> : <EyeOff aria-hidden />}
      onAction={() => void change()}
    >
      {isHidden ? 'Show in the library again' : 'Hide on this device'}
    </MenuItem>
  )
}

/** The ways of the finished edits to clouds; nothing while there is no file. */
function SaveItems({
  job,
  isOnline,
  onAction,
}: Pick<CardMenuProps, 'job' | 'isOnline'> & { readonly onAction: (way: SaveWay) => void }) {
  const areas = useCapabilities().data?.areas
  const ways = useSaveWays()
  if (areas === undefined || savableTasks(job.tasks).length === 0) return null
  const offline = isOnline ? null : WHEN_ONLINE
  return (
    <>
      <MenuItem
        icon={<CloudUpload aria-hidden />}
        isDisabled={!isOnline || !areas.externalAuths}
        onAction={() => onAction('drive')}
        text={SAVE_LABELS.drive}
      >
        <WithObstacle
          obstacle={
            areas.externalAuths ? offline : 'Not available here. Download the edits instead.'
          }
        >
          {SAVE_LABELS.drive}
        </WithObstacle>
      </MenuItem>
      {ways.includes('dropbox') ? (
        <MenuItem
          icon={<CloudUpload aria-hidden />}
          isDisabled={!isOnline}
          onAction={() => onAction('dropbox')}
          text={SAVE_LABELS.dropbox}
        >
          <WithObstacle obstacle={offline}>{SAVE_LABELS.dropbox}</WithObstacle>
        </MenuItem>
      ) : null}
    </>
  )
}

/** What an item does, and why it cannot be done now. */
function WithObstacle({
  obstacle,
  children,
}: {
  readonly obstacle: string | null
  readonly children: string
}) {
  return (
    <span>
      {children}
      {obstacle === null ? null : <span className="block text-sm font-normal">{obstacle}</span>}
    </span>
  )
}

/** Why nothing can be deleted now; null where it can. */
function deletionObstacle({
  isOnline,
  isAtWork,
}: {
  readonly isOnline: boolean
  readonly isAtWork: boolean
}): string | null {
  if (!isOnline) return WHEN_ONLINE
  return isAtWork ? 'When no edit of it is being made.' : null
}

function Deletions({
  obstacle,
  onAsk,
}: {
  readonly obstacle: string | null
  readonly onAsk: (what: DeleteQuestion['what']) => void
}) {
  return (
    <>
      <MenuItem
        icon={<Trash2 aria-hidden />}
        isDisabled={obstacle !== null}
        onAction={() => onAsk('source')}
        text="Delete the video, keep its edits"
      >
        <WithObstacle obstacle={obstacle}>Delete the video, keep its edits</WithObstacle>
      </MenuItem>
      <MenuItem
        icon={<Trash2 aria-hidden />}
        tone="bad"
        isDisabled={obstacle !== null}
        onAction={() => onAsk('everything')}
        text="Delete video and edits"
      >
        <WithObstacle obstacle={obstacle}>Delete video and edits</WithObstacle>
      </MenuItem>
    </>
  )
}

/** A deletion that the person is asked about first, and what became of it. */
function useAskedDeletion() {
  const toasts = useToasts()
  const deletion = useDeleteStored()
  const [question, setQuestion] = useState<DeleteQuestion | null>(null)
  const [failure, setFailure] = useState<ApiFailure | null>(null)
  const start = async ({ uploadRequestId, name, what }: DeleteQuestion) => {
    const done = await deletion.mutateAsync({ uploadRequestId, what })
    setQuestion(null)
    if (done.ok) toasts.show('success', `"${name}" was deleted from the server.`)
    else setFailure(done.error)
  }
  return {
    failure,
    ask: (next: DeleteQuestion) => {
      setFailure(null)
      setQuestion(next)
    },
    dialog: {
      question,
      isPending: deletion.isPending,
      onDelete: (asked: DeleteQuestion) => void start(asked),
      onClose: () => setQuestion(null),
    },
  }
}
