import { Pause, Pencil, Play, Trash2, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { AssetPicture } from '#src/components/assets/AssetPicture.tsx'
import { adviceOfCode } from '#src/components/problem/server-copy.ts'
import { clockWords } from '#src/lib/time-words.ts'
import { useOutboxActions } from '#src/hooks/sync/use-outbox.ts'
import type { ListedAsset, MediaAsset } from '#src/hooks/assets/use-media-assets.ts'
import { truncate } from '#src/lib/text.ts'
import { ASSET_NAME_MAX_CHARACTERS } from '#spec/numbers.ts'
import { Button } from '#src/ui/Button.tsx'
import { Card } from '#src/ui/Card.tsx'
import { IconButton } from '#src/ui/IconButton.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { useToasts } from '#src/ui/toasts-context.ts'
import { RenameAsset } from './RenameAsset.tsx'
import type { SharedSound } from '#src/components/assets/use-shared-sound.ts'

export interface AssetCardProps extends ListedAsset {
  readonly sound: SharedSound
}

/** One asset (AST-02): picture or sound, length, name, kind, and what can be done about it. */
export function AssetCard({ asset, deletion, sound }: AssetCardProps) {
  const [isRenaming, setIsRenaming] = useState(false)
  const remove = useDelete(asset)
  const name = truncate(asset.name, ASSET_NAME_MAX_CHARACTERS)
  const reason = asset.format?.slug === 'unsupported' ? asset.format.reason : null
  return (
    <Card as="li" isFlush className="flex flex-col overflow-hidden">
      <div className="relative">
        <AssetPicture asset={asset} className="w-full" />
        <Overlay asset={asset} sound={sound} />
      </div>
      <div className="flex flex-1 flex-col gap-1 p-4">
        {isRenaming ? (
          <RenameAsset asset={asset} onEnd={() => setIsRenaming(false)} />
        ) : (
          <div className="flex items-start gap-1">
            <div className="min-w-0 flex-1">
              <h3 title={asset.name} className="leading-snug font-semibold wrap-anywhere">
                {name}
              </h3>
              <p className="mt-0.5 text-sm text-ink-muted">{kindWords(asset)}</p>
            </div>
            <IconButton
              label={`Rename ${asset.name}`}
              icon={<Pencil aria-hidden />}
              onPress={() => setIsRenaming(true)}
              className="-mt-2"
            />
            <IconButton
              label={`Delete ${asset.name}`}
              icon={<Trash2 aria-hidden />}
              onPress={remove}
              className="-mt-2 -mr-2"
            />
          </div>
        )}
        {reason === null ? null : <p className="text-sm text-warn">{reason}</p>}
        {deletion === null ? null : <NotDeleted deletion={deletion} />}
      </div>
    </Card>
  )
}

function kindWords({ format }: MediaAsset): string {
  return format === null ? 'Processing...' : `Type: ${format.slug}`
}

/** What lies over the picture: the play button, a warning, the length. */
function Overlay({ asset, sound }: Pick<AssetCardProps, 'asset' | 'sound'>) {
  const { format } = asset
  switch (format?.slug) {
    case 'audio':
      return (
        <>
          {format.previewUrl === null ? null : (
            <PlaySound asset={asset} url={format.previewUrl} sound={sound} />
          )}
          <Length durationMs={format.duration} />
        </>
      )
    case 'video':
      return (
        <>
          {format.previewUrl === null ? null : <PlayVideo asset={asset} url={format.previewUrl} />}
          <Length durationMs={format.duration} />
        </>
      )
    case 'unsupported':
      return (
        <TriangleAlert
          role="img"
          aria-label="Not supported"
          className="absolute top-2 right-2 size-6 text-warn"
        />
      )
    case 'image':
    case undefined:
      return null
  }
}

function Length({ durationMs }: { readonly durationMs: number }) {
  return (
    <span className="absolute right-2 bottom-2 rounded-md bg-surface-raised px-1.5 text-sm font-medium tabular-nums">
      {clockWords(durationMs)}
    </span>
  )
}

interface PlayProps {
  readonly asset: Pick<MediaAsset, '_id' | 'name'>
  readonly url: string
}

function PlaySound({ asset, url, sound }: PlayProps & { readonly sound: SharedSound }) {
  const isPlaying = sound.playingId === asset._id
  return (
    <PlayButton
      name={asset.name}
      isPlaying={isPlaying}
      onPress={() => sound.toggle(asset._id, url)}
    />
  )
}

/** The beginning of a video, in a loop and without sound, over its picture. */
function PlayVideo({ asset, url }: PlayProps) {
  const toasts = useToasts()
  const [isPlaying, setIsPlaying] = useState(false)
  const fail = () => {
    setIsPlaying(false)
    toasts.show('error', 'This video cannot be played now. Check your connection and try again.')
  }
  return (
    <>
      {isPlaying ? (
        <video
          src={url}
          autoPlay
          loop
          muted
          playsInline
          onError={fail}
          aria-label={`The beginning of ${asset.name}`}
          className="absolute inset-0 size-full bg-surface-sunken object-contain"
        />
      ) : null}
      <PlayButton
        name={asset.name}
        isPlaying={isPlaying}
        onPress={() => setIsPlaying(!isPlaying)}
      />
    </>
  )
}

interface PlayButtonProps {
  readonly name: string
  readonly isPlaying: boolean
  readonly onPress: () => void
}

function PlayButton({ name, isPlaying, onPress }: PlayButtonProps) {
  return (
    <IconButton
      label={`${isPlaying ? 'Stop' : 'Play'} ${name}`}
      icon={isPlaying ? <Pause aria-hidden /> : <Play aria-hidden />}
      onPress={onPress}
      className="absolute bottom-2 left-2 bg-surface-raised shadow-1"
    />
  )
}

function NotDeleted({ deletion }: { readonly deletion: NonNullable<ListedAsset['deletion']> }) {
  const outbox = useOutboxActions()
  return (
    <Notice
      kind="warning"
      isLive
      title="Not deleted"
      className="mt-2"
      action={
        <>
          <Button size="small" variant="secondary" onPress={() => void outbox?.retry(deletion.id)}>
            Try Again
          </Button>
          <Button size="small" variant="quiet" onPress={() => void outbox?.discard(deletion.id)}>
            Keep
          </Button>
        </>
      }
    >
      {`${deletion.message} ${adviceOfCode(deletion.code) ?? ''}`}
    </Notice>
  )
}

const NOT_SAVED = 'This device could not save the change. Free up some space and try again.'

/** Deletes the asset after the time to take that back. */
function useDelete({ _id, name }: MediaAsset): () => void {
  const outbox = useOutboxActions()
  const toasts = useToasts()
  const run = async () => {
    const id = await outbox?.deleteAsset(_id)
    if (id === undefined) return
    const undo = () => void outbox?.discard(id)
    toasts.show('default', `${truncate(name, ASSET_NAME_MAX_CHARACTERS)} was deleted.`, {
      label: 'Undo',
      onPress: undo,
    })
  }
  return () => void run().catch(() => toasts.show('error', NOT_SAVED))
}
