import { HelpLink } from './HelpLink.tsx'
import { TryAgain } from './TryAgain.tsx'
import { helpOfFailure } from '#src/components/problem/help-of.ts'
import { pullCopy } from '#src/components/problem/pull-copy.ts'
import type { Shown } from '#src/hooks/sync/shown.ts'
import { useShownTime } from '#src/hooks/sync/shown-times-atoms.ts'
import { useNow } from '#src/hooks/clock/use-now.ts'
import { classNames } from '#src/ui/class-names.ts'
import { Notice } from '#src/ui/Notice.tsx'

/**
 * What to say where a pull failed; nothing where it did not. What this device has is the screen's
 * to show below it. Red only where there is nothing to show.
 */
export function PullFailure({
  pull,
  title,
  className,
}: {
  readonly pull: Pick<Shown<unknown>, 'data' | 'failure' | 'asOfEpochMs' | 'isFetching' | 'refresh'>
  /** What failed: 'Error loading edits'. */
  readonly title: string
  readonly className?: string
}) {
  const nowEpochMs = useNow(null)
  const { data, failure, asOfEpochMs, isFetching, refresh } = pull
  useShownTime(failure === null || data === null ? null : asOfEpochMs)
  if (failure === null) return null
  const copy = pullCopy({ failure, hasData: data !== null, asOfEpochMs }, title, nowEpochMs)
  if (copy.kind === 'not-fresh')
    return <p className={classNames('text-sm text-ink-muted', className)}>{copy.text}</p>
  return (
    <Notice
      kind={copy.kind === 'missing' ? 'error' : 'warning'}
      isLive
      title={copy.title}
      action={<TryAgain failure={failure} onPress={refresh} isBusy={isFetching} />}
      {...(className === undefined ? {} : { className })}
    >
      <span>{copy.body}</span> <HelpLink slug={helpOfFailure(failure)} />
    </Notice>
  )
}
