import { Check, Circle } from 'lucide-react'
import { useEffect, useRef, type ReactNode } from 'react'
import { HelpLink } from '#src/components/help/HelpLink.tsx'
import { helpOfCode } from '#src/components/problem/help-of.ts'
import { adviceOfCode } from '#src/components/problem/server-copy.ts'
import { spokenLength } from '#recipes/length-words.ts'
import { useNow } from '#src/hooks/clock/use-now.ts'
import { useOnline } from '#src/hooks/network/use-online.ts'
import { useOutboxActions, type SubmissionRow } from '#src/hooks/sync/use-outbox.ts'
import { usePermission } from '#src/hooks/account/use-session.ts'
import { paths } from '#src/config/paths.ts'
import { PERMISSIONS } from '#src/config/permissions.ts'
import { asOfWords } from '#src/lib/time-words.ts'
import { SECOND_MS } from '#src/lib/time.ts'
import { Button } from '#src/ui/Button.tsx'
import { Card } from '#src/ui/Card.tsx'
import { LinkButton } from '#src/ui/LinkButton.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { ProgressBar } from '#src/ui/ProgressBar.tsx'
import { Spinner } from '#src/ui/Spinner.tsx'
import { preparationPercent, preparationSteps, type PreparationStep } from './preparation.ts'

const ANALYSIS_FAILED = "We couldn't analyze your video. Please try again."
const ORDER_FAILED = 'There was a problem creating your order. Please try again.'

/**
 * 'Preparing Your Order': the specified bar, and beside it the steps that are really done
 * (docs/product-decisions.md#preparation-progress). A refused order can be tried again.
 */
export function PreparingOrder({ submission }: { readonly submission: SubmissionRow }) {
  useRetryWithPermission(submission)
  const isRefused = submission.state.kind === 'refused'
  const nowEpochMs = useNow(isRefused ? null : SECOND_MS)
  const elapsedMs = Math.max(0, nowEpochMs - submission.createdAtEpochMs)
  const stage = isBeingOrdered(submission) ? 'creating-order' : 'waiting'
  return (
    <Preparation
      label={isRefused ? 'Stopped' : `${spokenLength(elapsedMs)} so far`}
      percent={preparationPercent(elapsedMs, stage)}
      steps={preparationSteps(submission.intent, false)}
      isRefused={isRefused}
    >
      <Waiting submission={submission} nowEpochMs={nowEpochMs} />
    </Preparation>
  )
}

/**
 * Sends again what was refused for want of a subscription that the person has by now, as after
 * 'Subscribe Now'. Once a visit: the server may refuse it again.
 */
function useRetryWithPermission({ id, state }: SubmissionRow): void {
  const outbox = useOutboxActions()
  const mayOrder = usePermission(PERMISSIONS.createOrders)
  const hasRetried = useRef(false)
  const isOutdated =
    mayOrder && state.kind === 'refused' && state.code === 'auth/permission-missing'
  useEffect(() => {
    if (!isOutdated || outbox === null || hasRetried.current) return
    hasRetried.current = true
    void outbox.retry(id)
  }, [id, isOutdated, outbox])
}

/** The full bar, between the preparation and the checkout. */
export function PreparedOrder({ submission }: { readonly submission: SubmissionRow }) {
  return (
    <Preparation
      label="Your order is ready"
      percent={preparationPercent(0, 'done')}
      steps={preparationSteps(submission.intent, true)}
      isRefused={false}
    >
      {/* As long as what stands here before, so that nothing below moves for this moment. */}
      <p className="text-ink-muted">
        Your order is ready and opens at once. {whereKept(submission.intent)}
      </p>
    </Preparation>
  )
}

function Preparation({
  label,
  percent,
  steps,
  isRefused,
  children,
}: {
  readonly label: string
  readonly percent: number
  readonly steps: readonly PreparationStep[]
  readonly isRefused: boolean
  readonly children: ReactNode
}) {
  return (
    <Card as="section" labelledBy="preparing">
      <h2 id="preparing" className="text-2xl font-bold">
        Preparing Your Order
      </h2>
      <ProgressBar className="mt-5" label={label} percent={percent} isFailed={isRefused} />
      <ul className="mt-6 flex flex-col gap-3">
        {steps.map((step) => (
          <Step key={step.id} step={step} isRefused={isRefused} />
        ))}
      </ul>
      <div className="mt-6">{children}</div>
    </Card>
  )
}

const SPOKEN: Readonly<Record<PreparationStep['state'], string>> = {
  done: ', done',
  now: ', in progress',
  next: ', not yet',
}

function Step({
  step,
  isRefused,
}: {
  readonly step: PreparationStep
  readonly isRefused: boolean
}) {
  return (
    <li className="flex items-center gap-3">
      <span aria-hidden className="grid size-6 place-items-center text-accent">
        <StepIcon state={step.state === 'now' && isRefused ? 'next' : step.state} />
      </span>
      <span className={step.state === 'next' ? 'text-ink-muted' : 'font-medium'}>
        {step.label}
        <span className="sr-only">{SPOKEN[step.state]}</span>
      </span>
    </li>
  )
}

function StepIcon({ state }: { readonly state: PreparationStep['state'] }) {
  switch (state) {
    case 'done':
      return <Check className="size-5" strokeWidth={2.5} />
    case 'now':
      return <Spinner />
    case 'next':
      return <Circle className="size-4 text-line-strong" />
  }
}

/**
 * Whether the bar stands at 'creating'. The server is asked repeatedly while the length is missing;
 * the bar must not jump back and forth with that.
 */
function isBeingOrdered({ intent }: SubmissionRow): boolean {
  return intent.stage === 'creating-order' && (!intent.needsAnalysis || intent.isAnalysed)
}

/** What the preparation waits for, and what helps. */
function Waiting({
  submission,
  nowEpochMs,
}: {
  readonly submission: SubmissionRow
  readonly nowEpochMs: number
}) {
  const isOnline = useOnline()
  const outbox = useOutboxActions()
  const retry = () => {
    void outbox?.retry(submission.id)
  }
  const { state, intent } = submission
  if (state.kind === 'refused') return <Refused intent={intent} refusal={state} onRetry={retry} />
  if (isOnline && state.limit !== undefined)
    return <TooMany {...{ submission, nowEpochMs }} limit={state.limit} />
  if (!isOnline || submission.attempt > 0) {
    const seconds = Math.ceil((submission.notBeforeEpochMs - nowEpochMs) / SECOND_MS)
    return (
      <Notice
        kind="warning"
        isLive
        title={isOnline ? 'The server cannot be reached right now.' : 'You are offline.'}
        action={
          <Button variant="secondary" onPress={retry}>
            Retry now
          </Button>
        }
      >
        Your edits are saved on this device and will be sent as soon as possible.
        {isOnline && seconds > 1 ? ` Next try in ${seconds} s.` : ''}
      </Notice>
    )
  }
  if (intent.needsAnalysis && !intent.isReceived)
    return (
      <p className="text-ink-muted">
        The price depends on the length of your video. The server measures the length as soon as
        enough of the video has arrived: for most videos shortly after the upload starts, otherwise
        at its end. {whereKept(intent)}
      </p>
    )
  return (
    <p className="text-ink-muted">
      {nowEpochMs - submission.createdAtEpochMs > LONG_MS
        ? stillWords(intent)
        : 'This usually takes a few seconds.'}{' '}
      {whereKept(intent)}
    </p>
  )
}

/** From then on a few seconds are over. */
const LONG_MS = 20 * SECOND_MS

function stillWords({ needsAnalysis, isAnalysed }: SubmissionRow['intent']): string {
  return needsAnalysis && !isAnalysed
    ? 'The server is still measuring your video.'
    : 'The server has not answered yet.'
}

/** The server was reached and takes it later: pressing a button before would be refused again. */
function TooMany({
  submission: { intent, notBeforeEpochMs },
  nowEpochMs,
  limit,
}: {
  readonly submission: SubmissionRow
  readonly nowEpochMs: number
  readonly limit: string
}) {
  const due =
    notBeforeEpochMs > nowEpochMs
      ? `Your edits are sent by themselves from ${asOfWords(notBeforeEpochMs, nowEpochMs)} on.`
      : 'Your edits are being sent again.'
  return (
    <Notice kind="warning" isLive title={limit}>
      {`${due} ${whereKept(intent)}`}
    </Notice>
  )
}

/** Nothing is called saved before the server has it. */
function whereKept({ mediaJobId }: SubmissionRow['intent']): string {
  return mediaJobId === null
    ? 'Your edits are on this device only until they are sent. Please keep this page open.'
    : 'You can close this page; your edits are saved.'
}

function Refused({
  intent,
  refusal,
  onRetry,
}: {
  readonly intent: SubmissionRow['intent']
  readonly refusal: Extract<SubmissionRow['state'], { kind: 'refused' }>
  readonly onRetry: () => void
}) {
  const isAnalysis = intent.stage === 'analysing'
  if (refusal.code === 'uploads/aborted')
    return <VideoGone intent={intent} words={refusal.message} />
  return (
    <Notice
      kind="error"
      isLive
      title={isAnalysis ? ANALYSIS_FAILED : ORDER_FAILED}
      action={<Button onPress={onRetry}>{isAnalysis ? 'Refresh Status' : 'Try again'}</Button>}
    >
      {[
        isAnalysis || refusal.message === ANALYSIS_FAILED ? null : refusal.message,
        adviceOfCode(refusal.code),
        // Only without a job it is known that no order was paid, on no device.
        intent.mediaJobId === null
          ? 'Nothing was charged and your edits are kept.'
          : 'Your edits are kept.',
      ]
        .filter((words) => words !== null)
        .join(' ')}{' '}
      <HelpLink slug={helpOfCode(refusal.code)} />
    </Notice>
  )
}

/** The server has the video no more, so that trying again helps nothing. */
function VideoGone({
  intent,
  words,
}: {
  readonly intent: SubmissionRow['intent']
  readonly words: string | null
}) {
  return (
    <Notice
      kind="error"
      isLive
      title="Your order could not be created."
      action={<LinkButton to={paths.newUpload}>Upload it again</LinkButton>}
    >
      {words}
      {intent.mediaJobId === null ? ' Nothing was charged.' : null}
    </Notice>
  )
}
