import type { ReactNode } from 'react'
import type { components } from '#openapi/schema.gen.ts'
import { useDriveSaves, type DriveSave } from '#src/components/saves/use-drive-saves.ts'
import { useJobThumbnail } from '#src/hooks/edits/use-media-job.ts'
import { useRedone } from '#src/hooks/edits/use-redo.ts'
import { Badge } from '#src/ui/Badge.tsx'
import { Disclosure } from '#src/ui/Disclosure.tsx'
import { classNames } from '#src/ui/class-names.ts'
import { ProgressBar } from '#src/ui/ProgressBar.tsx'
import { useIsNarrow } from '#src/ui/use-is-narrow.ts'
import { formatBytes } from '#src/lib/bytes.ts'
import { BeforeAfter } from '#src/components/outputs/BeforeAfter.tsx'
import { KeepRule } from '#src/components/kept/KeepRule.tsx'
import { SavedToDrive } from '#src/components/saves/SavedToDrive.tsx'
import { savableTasks } from '#src/components/saves/drive-save-words.ts'
import { DownloadsWait, OutputList } from '#src/components/outputs/OutputList.tsx'
import { isReviewDue, taskWords } from './task-words.ts'
import { ReviewFaces } from './ReviewFaces.tsx'
import { SaveResults } from '#src/components/saves/SaveResults.tsx'
import { TaskAction } from './TaskAction.tsx'
import { dateWords } from '#src/lib/time-words.ts'
import { tokens } from '#src/components/tokens/token-words.ts'

type MediaJob = components['schemas']['MediaJob']
type Task = MediaJob['tasks'][number]

export interface TaskListProps {
  readonly job: Pick<MediaJob, '_id' | 'uploadRequestId' | 'tasks'>
  readonly isOnline: boolean
}

/** So many edits fit on a phone with their results; more are folded there. */
const OPEN_ON_PHONES = 2

/**
 * The edits of one job, each with its state and its results. On phones, where one result fills half
 * of the screen, the results of many edits are folded, but for those of the first. All edits count,
 * not only finished ones: the end of one folds nothing that a person looks at.
 */
export function TaskList({ job, isOnline }: TaskListProps) {
  const { tasks } = job
  const isNarrow = useIsNarrow()
  const finished = tasks.filter(({ status }) => status === 'succeeded')
  const isFolded = isNarrow && tasks.length > OPEN_ON_PHONES
  const resultsOf = (task: Task) => {
    if (!isFolded) return 'open'
    return task === finished[0] ? 'first' : 'folded'
  }
  const thumbnail = useJobThumbnail(job._id)
  const sourcePicture = thumbnail.kind === 'ready' ? thumbnail.value : null
  const saves = useDriveSaves(job._id, { hasFiles: savableTasks(tasks).length > 0 }).data ?? []
  return (
    <>
      {finished.length === 0 ? null : <DownloadsWait isOnline={isOnline} />}
      <div className="@container">
        <ul
          className={classNames(
            'grid gap-x-8 gap-y-4',
            // Two edits beside each other, each of which has room for two files.
            tasks.length > 1 && '@3xl:grid-cols-2',
          )}
        >
          {tasks.map((task) => (
            <TaskRow
              key={task._id}
              job={job}
              task={task}
              saves={saves.filter(({ taskId }) => taskId === task._id)}
              isOnline={isOnline}
              sourcePicture={sourcePicture}
              results={resultsOf(task)}
            />
          ))}
        </ul>
      </div>
      <SaveResults job={job} isOnline={isOnline} />
      <KeepRule uploadRequestId={job.uploadRequestId} />
    </>
  )
}

function TaskRow({
  job,
  task,
  saves,
  isOnline,
  sourcePicture,
  results,
}: Pick<TaskListProps, 'job' | 'isOnline'> & {
  readonly task: Task
  readonly saves: readonly DriveSave[]
  readonly sourcePicture: Blob | null
  readonly results: 'open' | 'first' | 'folded'
}) {
  const words = taskWords(task)
  const isLong = task.status === 'failed'
  const before = useRedone(job.uploadRequestId, task)
  const shown = { isOnline, sourcePicture, uploadRequestId: job.uploadRequestId }
  const list =
    before === null ? (
      <OutputList outputs={task.outputs} {...shown} />
    ) : (
      <BeforeAfter before={before} after={task} {...shown} />
    )
  return (
    <li
      className={classNames(
        'flex min-w-0 flex-col gap-3 border-t border-line pt-4 first:border-t-0 first:pt-0',
        before === null ? '@3xl:nth-2:border-t-0 @3xl:nth-2:pt-0' : 'col-span-full',
      )}
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-semibold">{task.name}</h3>
        <Badge tone={words.tone}>{isLong ? 'Failed' : words.text}</Badge>
      </div>
      {isLong ? <p className="text-[0.9375rem] text-bad">{words.text}</p> : null}
      {task.refundedCoinAmount > 0 ? (
        <p className="text-sm text-ink-muted">
          {tokens(task.refundedCoinAmount)} returned to your wallet.
        </p>
      ) : null}
      <Facts job={job} task={task} />
      {task.status === 'succeeded' ? <Results task={task} results={results} list={list} /> : null}
      <SavedToDrive saves={saves} name={task.name} isOnline={isOnline} />
      <TaskAction job={job} task={task} />
    </li>
  )
}

/** What is to be known of an edit beside its state. */
function Facts({ job, task }: Pick<TaskListProps, 'job'> & { readonly task: Task }) {
  return (
    <>
      {task.review?.state === 'searching' ? <SearchWords task={task} /> : null}
      {isReviewDue(task) ? <ReviewFaces mediaJobId={job._id} task={task} /> : null}
      {task.status === 'started' ? (
        <ProgressBar label={task.name} isLabelHidden percent={task.progressRatio * 100} />
      ) : null}
      {task.filesGoAt === undefined || task.filesGoAt === null ? null : (
        <p className="text-sm text-ink-muted">
          The server deletes these files on {dateWords(Date.parse(task.filesGoAt))}.
        </p>
      )}
    </>
  )
}

/** That the edit will need its owner, who could else wait for an edit that waits for a review. */
function SearchWords({ task }: { readonly task: Task }) {
  const words = { created: 'First we look for faces.', started: 'Looking for faces.' } as const
  return task.status === 'created' || task.status === 'started' ? (
    <p className="text-sm text-ink-muted">
      {`${words[task.status]} Then you decide who is covered, before the edit is made.`}
    </p>
  ) : null
}

/** What an edit made; folded it says how much that is. */
function Results({
  task,
  results,
  list,
}: {
  readonly task: Task
  readonly results: 'open' | 'first' | 'folded'
  readonly list: ReactNode
}) {
  return results === 'open' ? (
    list
  ) : (
    <Disclosure
      title={
        <>
          {filesWords(task.outputs)}
          <span className="sr-only"> of {task.name}</span>
        </>
      }
      isDefaultExpanded={results === 'first'}
    >
      {list}
    </Disclosure>
  )
}

/** '3 files, 34 MB'; what an edit has that made only text. */
function filesWords(outputs: Task['outputs']): string {
  const sizes = outputs.flatMap((output) =>
    output.kind === 'download-button' ? [output.sizeBytes] : [],
  )
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  if (sizes.length === 0) return 'Result'
  return `${sizes.length} ${sizes.length === 1 ? 'file' : 'files'}, ${formatBytes(bytes)}`
}
