import { useState } from 'react'
import { SendButton } from '#src/components/help/SendButton.tsx'
import { serverProblemCopy } from '#src/components/problem/server-copy.ts'
import { useRenameAsset, type MediaAsset } from '#src/hooks/assets/use-media-assets.ts'
import { Button } from '#src/ui/Button.tsx'
import { TextField } from '#src/ui/TextField.tsx'

/** The name of an asset as a field, in the place of the name. A failure keeps what was typed. */
export function RenameAsset({
  asset,
  onEnd,
}: {
  readonly asset: Pick<MediaAsset, '_id' | 'name'>
  readonly onEnd: () => void
}) {
  const rename = useRenameAsset()
  const [name, setName] = useState(asset.name)
  const [error, setError] = useState<string | null>(null)
  const typed = name.trim()
  const save = async () => {
    if (typed === '' || rename.isPending) return
    if (typed === asset.name) return onEnd()
    const renamed = await rename.mutateAsync({ mediaAssetId: asset._id, name: typed })
    if (renamed.ok) onEnd()
    else setError(serverProblemCopy(renamed.error).title)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onEnd()
      }}
    >
      <TextField
        label="Name"
        value={name}
        maxLength={200}
        onChange={(value) => {
          setName(value)
          setError(null)
        }}
        error={error}
        autoComplete="off"
        autoFocus
      />
      <div className="mt-3 flex flex-wrap gap-2">
        <SendButton
          sends="PATCH /v1/media-assets/{id}"
          type="submit"
          size="small"
          isDisabled={typed === ''}
          isBusy={rename.isPending}
        >
          Save
        </SendButton>
        <Button size="small" variant="secondary" onPress={onEnd}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
