import { useState } from 'react'
import { DownloadsWait, OutputList } from '#src/components/outputs/OutputList.tsx'
import { PullFailure } from '#src/components/help/PullFailure.tsx'
import { optionsWords } from '#src/components/options/forms.tsx'
import { tokens } from '#src/components/tokens/token-words.ts'
import { useJobThumbnail } from '#src/hooks/edits/use-media-job.ts'
import { useNow } from '#src/hooks/clock/use-now.ts'
import { useOnline } from '#src/hooks/network/use-online.ts'
import { usePresets, type Preset } from '#src/hooks/edits/use-presets.ts'
import type { RedoSubject } from '#src/hooks/edits/use-redo.ts'
import { useSaveSelection } from '#src/hooks/edits/use-selection.ts'
import { useWalletTotal } from '#src/hooks/pay/use-wallets.ts'
import { paths } from '#src/config/paths.ts'
import { takesMoments } from '#src/local/edits/moment-boards.ts'
import { editPrice, priceTotal } from '#src/local/edits/price.ts'
import {
  makesTheSame,
  redoObstacle,
  redoPrice,
  redoSelectionKey,
  type RedoObstacle,
} from '#src/local/edits/redo.ts'
import { plainRequest, type TaskRequest } from '#src/local/edits/task-requests.ts'
import { Button } from '#src/ui/Button.tsx'
import { Card } from '#src/ui/Card.tsx'
import { LinkButton } from '#src/ui/LinkButton.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { useToasts } from '#src/ui/toasts-context.ts'
import { SummaryBar } from '#src/features/upload/formats/SummaryBar.tsx'
import { unfitEdits } from '#src/features/upload/formats/unmet-needs.ts'
import { useSubmit } from '#src/features/upload/formats/use-submit.ts'
import { RedoDialogs, useIsResumed, type RedoDialog } from './RedoDialogs.tsx'

export interface RedoChoiceProps {
  readonly subject: RedoSubject
  readonly initial: TaskRequest
  readonly onSubmitted: (submissionId: string) => void
}

/** The delivered edit beside what is to be changed of it, with the price and Submit. */
export function RedoChoice(props: RedoChoiceProps) {
  const { subject } = props
  const presets = usePresets()
  const nowEpochMs = useNow(null)
  const obstacle = redoObstacle(subject.task, subject.redo, nowEpochMs)
  if (obstacle !== null) return <NotAtHalfPrice subject={subject} obstacle={obstacle} />
  if (presets.data === null)
    return presets.failure === null ? (
      <Skeleton className="h-96" />
    ) : (
      <PullFailure pull={presets} title="Unable to fetch media job task presets" />
    )
  const slug = subject.task.mediaJobTaskPresetSlug
  const preset = presets.data.find((each) => each.slug === slug && each.isOffered)
  return preset === undefined ? (
    <Notice>This server does not make this edit any more.</Notice>
  ) : (
    <OpenChoice {...props} preset={preset} />
  )
}

const OBSTACLES: Readonly<Record<RedoObstacle, string>> = {
  used: 'It was made again already, which is possible once at half price.',
  late: 'Half price is for the first seven days after an edit was delivered.',
  never:
    'Half price is for edits that were delivered and paid for, from a video that is still on the server.',
}

function NotAtHalfPrice({
  subject: { job, redo },
  obstacle,
}: Pick<RedoChoiceProps, 'subject'> & { readonly obstacle: RedoObstacle }) {
  const orderId = obstacle === 'used' ? (redo?.orderId ?? null) : null
  return (
    <Notice
      title="This edit cannot be made again at half price"
      action={
        <LinkButton
          to={
            orderId === null
              ? paths.newMediaJob(job.uploadRequestId)
              : paths.uploadCheckout(orderId)
          }
          variant="secondary"
        >
          {orderId === null ? 'More edits of this video' : 'Show the new edit'}
        </LinkButton>
      }
    >
      {`${OBSTACLES[obstacle]} You can always order it at its full price.`}
    </Notice>
  )
}

function OpenChoice({
  subject,
  initial,
  preset,
  onSubmitted,
}: RedoChoiceProps & { readonly preset: Preset }) {
  const { job, task } = subject
  const { request, opened, setOpened, apply } = useRedoDraft(subject, initial)
  const spendable = useWalletTotal()
  const { submit, isSending, attestation } = useSubmit({
    // The server has the whole video; what this device still has of it does not matter.
    uploadId: null,
    uploadRequestId: job.uploadRequestId,
    redoOfTaskId: task._id,
    onSubmitted,
  })
  const full = editPrice(preset.pricingStrategies, job.videoDuration)
  const half = redoPrice(full)
  return (
    <>
      <div className="grid items-start gap-6 md:grid-cols-2">
        <DeliveredEdit subject={subject} />
        <Changes
          preset={preset}
          request={request}
          before={subject.request}
          durationMs={job.videoDuration}
          price={priceLine(priceTotal([full]).coinAmount, priceTotal([half]).coinAmount)}
          onChange={setOpened}
        />
      </div>
      <SummaryBar
        submitText="Submit for Editing"
        requests={[request]}
        total={priceTotal([half])}
        spendableCoinAmount={spendable}
        isBusy={isSending}
        isRefused={false}
        unmet={[]}
        unfit={unfitEdits([request], [preset], { durationMs: job.videoDuration })}
        obstacle={
          makesTheSame(request, subject.request)
            ? 'Change something first: now it would come out as before.'
            : null
        }
        attestation={attestation}
        onSubmit={() => void submit([request])}
      />
      <RedoDialogs
        subject={subject}
        preset={preset}
        request={request}
        opened={opened}
        onApply={apply}
        onClose={() => setOpened(null)}
      />
    </>
  )
}

/** What is to be changed, kept on this device, and the dialog that is open. */
function useRedoDraft({ task }: RedoSubject, initial: TaskRequest) {
  const [request, setRequest] = useState(initial)
  const isResumed = useIsResumed(task.mediaJobTaskPresetSlug)
  const [openedHere, setOpened] = useState<RedoDialog | null | undefined>()
  const save = useSaveSelection(redoSelectionKey(task._id))
  const toasts = useToasts()
  const apply = (next: TaskRequest) => {
    setRequest(next)
    setOpened(null)
    void save([next]).catch(() => toasts.show('warning', 'This device could not save your choice.'))
  }
  const opened = openedHere === undefined && isResumed ? 'options' : (openedHere ?? null)
  return { request, opened, setOpened, apply }
}

function priceLine(full: number, half: number): string {
  return full % 2 === 0
    ? `Half price: ${tokens(half)} instead of ${tokens(full)}.`
    : `Half price: ${tokens(half)} instead of ${tokens(full)}, rounded up to a whole token.`
}

/** The edit as it was delivered; it stays. */
function DeliveredEdit({ subject: { job, task } }: Pick<RedoChoiceProps, 'subject'>) {
  const thumbnail = useJobThumbnail(job._id)
  const isOnline = useOnline()
  return (
    <Card as="section" labelledBy="delivered-edit">
      <h2 id="delivered-edit" className="mb-1 text-lg font-semibold">
        Before
      </h2>
      <p className="mb-4 text-sm text-ink-muted">
        This edit stays in your library, whatever you change.
      </p>
      <DownloadsWait isOnline={isOnline} />
      <OutputList
        outputs={task.outputs}
        uploadRequestId={job.uploadRequestId}
        isOnline={isOnline}
        isOneColumn
        sourcePicture={thumbnail.kind === 'ready' ? thumbnail.value : null}
      />
    </Card>
  )
}

interface ChangesProps {
  readonly preset: Preset
  readonly request: TaskRequest
  readonly before: TaskRequest
  readonly durationMs: number | null
  readonly price: string
  readonly onChange: (by: RedoDialog) => void
}

/** What is asked for now beside what was asked for before, in words. */
function Changes({ preset, request, before, durationMs, price, onChange }: ChangesProps) {
  const words = (of: TaskRequest) => optionsWords(of, durationMs) ?? 'Best moments'
  return (
    <Card as="section" labelledBy="changed-edit">
      <h2 id="changed-edit" className="mb-1 text-lg font-semibold">
        After
      </h2>
      <p className="font-medium">{preset.name}</p>
      <dl className="mt-3 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
        <dt className="text-ink-muted">Was</dt>
        <dd className="wrap-break-word">{words(before)}</dd>
        <dt className="text-ink-muted">Will be</dt>
        <dd className="font-medium wrap-break-word">
          {makesTheSame(request, before) ? 'The same' : words(request)}
        </dd>
      </dl>
      <div className="mt-4 flex flex-wrap gap-2">
        {takesMoments(preset.slug) ? (
          <Button variant="secondary" onPress={() => onChange('moments')}>
            Change moments
          </Button>
        ) : null}
        {plainRequest(preset.slug) === null ? (
          <Button variant="secondary" onPress={() => onChange('options')}>
            Change options
          </Button>
        ) : null}
      </div>
      <p className="mt-4 border-t border-line pt-4 text-sm tabular-nums">{price}</p>
    </Card>
  )
}
