import { useState } from 'react'
import { useNavigate } from 'react-router'
import { NamingRefused } from '#src/components/assets/NamingRefused.tsx'
import { UploadControls } from '#src/components/uploads/UploadControls.tsx'
import { UploadPoster } from '#src/components/uploads/UploadPoster.tsx'
import { UploadProgress } from '#src/components/uploads/UploadProgress.tsx'
import { isFileRefused } from '#src/components/upload-words/actions.ts'
import { paths } from '#src/config/paths.ts'
import { useTypedName, type AssetUpload } from '#src/hooks/assets/use-asset-uploads.ts'
import { useOutboxActions } from '#src/hooks/sync/use-outbox.ts'
import { formatBytes } from '#src/lib/bytes.ts'
import { optionsDraftKey } from '#src/local/db/form-drafts.ts'
import { Button } from '#src/ui/Button.tsx'
import { Card } from '#src/ui/Card.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { TextField } from '#src/ui/TextField.tsx'
import { useToasts } from '#src/ui/toasts-context.ts'

interface NameAssetProps {
  readonly upload: AssetUpload
  readonly forPath: string | null
}

/** How far the file is, and the form for its name, which may be confirmed until it is refused. */
export function NameAsset({ upload, forPath }: NameAssetProps) {
  const { row, naming } = upload
  const { kept, keep } = useTypedName(row.id)
  const form =
    kept.kind === 'loading' ? (
      <Skeleton className="mt-6 h-32" />
    ) : (
      <NameForm
        uploadId={row.id}
        initial={(kept.kind === 'ready' ? kept.value : null) ?? naming?.name ?? ''}
        forPath={forPath}
        isWhole={row.state.kind === 'done'}
        onTyped={keep}
      />
    )
  return (
    <Card>
      <div className="flex gap-4">
        <UploadPoster uploadId={row.id} name={row.file.name} />
        <div className="min-w-0">
          <h2 className="font-semibold wrap-anywhere">{row.file.name}</h2>
          <p className="text-sm text-ink-muted">{formatBytes(row.file.sizeBytes)}</p>
        </div>
      </div>
      <div className="mt-5 flex flex-col gap-4">
        <UploadProgress row={row} />
        <UploadControls row={row} isMainShown={false} />
      </div>
      {naming?.state.kind === 'refused' ? (
        <NamingRefused namingId={naming.id} {...naming.state} />
      ) : null}
      {/* Of a file that the server refused there never is an asset. */}
      {isFileRefused(row.state) ? null : form}
    </Card>
  )
}

interface NameFormProps {
  readonly uploadId: string
  readonly initial: string
  readonly forPath: string | null
  /** The server has the whole file. */
  readonly isWhole: boolean
  readonly onTyped: (name: string) => Promise<void>
}

function NameForm({ uploadId, initial, forPath, isWhole, onTyped }: NameFormProps) {
  const [name, setName] = useState(initial)
  const confirm = useConfirm(uploadId, forPath)
  return (
    <form
      className="mt-6 border-t border-line pt-6"
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() !== '') void confirm.run(name.trim())
      }}
    >
      <TextField
        label="Name"
        placeholder="Your asset name"
        value={name}
        maxLength={200}
        onChange={(value) => {
          setName(value)
          // Best effort: a device that cannot keep it still takes the name.
          void onTyped(value).catch(() => undefined)
        }}
        autoComplete="off"
      />
      <Button
        type="submit"
        isDisabled={name.trim() === ''}
        isBusy={confirm.isBusy}
        className="mt-5 w-full"
      >
        Confirm
      </Button>
      {isWhole ? null : (
        <p className="mt-3 text-sm text-ink-muted">
          You can confirm before the upload is complete. The asset can be used once it is.
        </p>
      )}
    </form>
  )
}

/** Keeps the name on this device and leads on; the server gets it when it has the file. */
function useConfirm(uploadId: string, forPath: string | null) {
  const outbox = useOutboxActions()
  const navigate = useNavigate()
  const toasts = useToasts()
  const [isBusy, setIsBusy] = useState(false)
  const run = async (name: string) => {
    if (outbox === null) return
    setIsBusy(true)
    try {
      const draftKey = forPath === null ? null : optionsDraftKey(forPath)
      await outbox.nameAsset({ uploadId, name, draftKey })
      await navigate(forPath ?? paths.mediaAssets)
    } catch {
      toasts.show('error', 'This device could not save the name. Free up some space and try again.')
      setIsBusy(false)
    }
  }
  return { run, isBusy }
}
