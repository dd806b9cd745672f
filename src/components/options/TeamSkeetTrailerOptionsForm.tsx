import { useState } from 'react'
import { Plus } from 'lucide-react'
import { TRAILER_MS } from '#recipes/team-skeet-trailer/cuts.ts'
import { AssetPicture } from '#src/components/assets/AssetPicture.tsx'
import { useFormPath } from '#src/components/assets/for-path.ts'
import { PullFailure } from '#src/components/help/PullFailure.tsx'
import { spokenLength } from '#recipes/length-words.ts'
import { mediaAssetsPath } from '#src/config/paths.ts'
import { truncate } from '#src/lib/text.ts'
import { ASSET_NAME_MAX_CHARACTERS } from '#spec/numbers.ts'
import { Button } from '#src/ui/Button.tsx'
import { SelectField } from '#src/ui/SelectField.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { MusicField } from './MusicField.tsx'
import type { OptionsFormProps } from './options-form.tsx'
import { OptionsFrame } from './OptionsFrame.tsx'
import {
  TRAILER_VIDEOS,
  useTrailerDraft,
  type TrailerForm,
  type TrailerVideo,
} from './use-trailer-draft.ts'

const LABELS: Readonly<Record<TrailerVideo, string>> = {
  introBrandLogoVideoMediaAssetId: 'Preroll Brand Video',
  introLicensorLogoVideoMediaAssetId: 'Preroll Licensor Video (optional)',
  disclaimerVideoMediaAssetId: 'Disclaimer Video (optional)',
  outroLicensorLogoVideoMediaAssetId: 'Postroll Licensor Video (optional)',
  outroBrandLogoVideoMediaAssetId: 'Postroll Brand Video',
}

/** The options of the brand trailer (OPT-04): the videos around it, and its music. */
export function TeamSkeetTrailerOptionsForm({
  initial,
  kept,
  sourceDurationMs,
  video: _video,
  onValidity: _onValidity,
  ...frame
}: OptionsFormProps<'team-skeet-trailer'>) {
  const form = useTrailerDraft(initial, kept, sourceDurationMs)
  const [isRefused, setIsRefused] = useState(false)
  const problem = isRefused ? form.problem : null
  return (
    <OptionsFrame
      sentence="A 60 second teaser that shows the story and the action of your video in order, between the videos of your brand."
      request={form.request}
      onRefused={() => setIsRefused(true)}
      {...frame}
    >
      <div className="grid grid-cols-1 gap-5">
        <Videos
          form={form}
          problem={problem}
          ownMs={Math.min(TRAILER_MS, sourceDurationMs ?? TRAILER_MS)}
        />
        <MusicField
          music={form.music}
          chosenId={form.draft.musicTrackId}
          onChange={(id) => form.change('musicTrackId', id)}
        />
        {problem === null || problem.field !== null ? null : (
          <p role="alert" className="text-sm font-medium text-bad">
            {problem.message}
          </p>
        )}
      </div>
    </OptionsFrame>
  )
}

interface VideosProps {
  readonly form: TrailerForm
  /** What is wrong, once Apply was pressed. */
  readonly problem: TrailerForm['problem']
  /** How long the trailer is without the videos. */
  readonly ownMs: number
}

function Videos({ form, problem, ownMs }: VideosProps) {
  const { videos, mayChoose } = form
  const formPath = useFormPath()
  if (!mayChoose)
    return (
      <p className="text-sm">
        Your account may not use media assets. Without them this edit cannot be made.
      </p>
    )
  if (videos.data === null)
    return videos.failure === null ? (
      <div role="status" aria-label="Loading media assets">
        <Skeleton className="h-40" />
      </div>
    ) : (
      <PullFailure pull={videos} title="Unable to fetch media assets" />
    )
  if (videos.data.length === 0)
    return (
      <p className="text-sm text-ink-muted">
        No media assets available. Please upload media assets{' '}
        <TextLink to={mediaAssetsPath(formPath)}>here</TextLink>
      </p>
    )
  return (
    <>
      {TRAILER_VIDEOS.map((field) => (
        <VideoField
          key={field}
          field={field}
          form={form}
          error={problem?.field === field ? problem.message : null}
        />
      ))}
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <p role="status" className="text-sm text-ink-muted tabular-nums">
          {`The trailer itself lasts ${ownMs === TRAILER_MS ? '60 s' : spokenLength(ownMs)}`}
          {form.addedMs === 0 ? '.' : `; your videos add ${spokenLength(form.addedMs)}.`}
        </p>
        <Button variant="quiet" size="small" onPress={form.uploadNew}>
          <Plus aria-hidden className="size-4.5" />
          Upload a new one
        </Button>
      </div>
    </>
  )
}

interface VideoFieldProps {
  readonly field: TrailerVideo
  readonly form: TrailerForm
  readonly error: string | null
}

function VideoField({ field, form, error }: VideoFieldProps) {
  const { draft, videos } = form
  const id = draft[field]
  const chosen = videos.data?.find(({ asset }) => asset._id === id)?.asset
  const offered = (videos.data ?? []).map(({ asset }) => ({
    value: asset._id,
    label: truncate(asset.name, ASSET_NAME_MAX_CHARACTERS),
  }))
  return (
    <div className="flex items-end gap-3">
      <SelectField
        label={LABELS[field]}
        value={id}
        options={[
          { value: '', label: 'None' },
          // One that was deleted keeps its place until another is chosen.
          ...(id === '' || chosen !== undefined ? [] : [{ value: id, label: 'Deleted video' }]),
          ...offered,
        ]}
        onChange={(next) => form.change(field, next)}
        error={error}
        className="min-w-0 flex-1"
      />
      {chosen === undefined ? null : (
        <AssetPicture asset={chosen} className="w-20 shrink-0 rounded-lg" />
      )}
    </div>
  )
}
