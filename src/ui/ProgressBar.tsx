import { ProgressBar as AriaProgressBar } from 'react-aria-components/ProgressBar'
import { classNames } from './class-names.ts'

export interface ProgressBarProps {
  readonly label: string
  /** 0 to 100; null while it cannot be known. */
  readonly percent: number | null
  /** 0 to 100, at least `percent`: sent but not yet safe, drawn paler behind the bar. */
  readonly inFlightPercent?: number
  readonly isFailed?: boolean
  /** Takes the place of the number: 'Uploading, 43%'. */
  readonly valueText?: string
  readonly isLabelHidden?: boolean
  /** Shows the value at the end of the label's line. */
  readonly isValueShown?: boolean
  readonly className?: string
}

type Tone = 'failed' | 'complete' | 'running'

const FILLS: Readonly<Record<Tone, string>> = {
  failed: 'bg-bad-fill',
  complete: 'bg-good-fill',
  running: 'bg-gradient-accent',
}

const clamp = (percent: number) => Math.min(100, Math.max(0, percent))

/** Red when failed, green at 100, else the accent gradient. */
export function ProgressBar(props: ProgressBarProps) {
  const {
    label,
    percent,
    inFlightPercent,
    isFailed = false,
    valueText,
    isLabelHidden = false,
    isValueShown = true,
    className,
  } = props
  const shown = percent === null ? 0 : clamp(percent)
  const text = valueText ?? (percent === null ? '' : `${Math.floor(shown)}%`)
  const tone = toneOf(isFailed, shown)
  return (
    <AriaProgressBar
      aria-label={label}
      value={shown}
      isIndeterminate={percent === null}
      {...(text === '' ? {} : { valueLabel: text })}
      className={classNames('block', className)}
    >
      {isLabelHidden ? null : (
        <span className="mb-2 flex flex-wrap items-baseline justify-between gap-x-3 text-sm font-medium">
          <span className="line-clamp-2 min-w-0 wrap-anywhere">{label}</span>
          {isValueShown && text !== '' ? (
            <span className="shrink-0 text-ink-muted tabular-nums">{text}</span>
          ) : null}
        </span>
      )}
      <span className="relative block h-2.5 overflow-hidden rounded-full bg-surface-sunken inset-ring inset-ring-line forced-colors:border">
        {inFlightPercent === undefined || isFailed ? null : (
          <span
            className="bg-gradient-accent absolute inset-y-0 left-0 rounded-full opacity-30"
            style={{ width: `${clamp(Math.max(inFlightPercent, shown))}%` }}
          />
        )}
        {percent === null ? (
          <span className="bg-gradient-accent absolute inset-y-0 left-0 w-2/5 animate-slide rounded-full motion-reduce:w-full motion-reduce:opacity-40" />
        ) : (
          <span
            data-tone={tone}
            className={classNames('absolute inset-y-0 left-0 rounded-full', FILLS[tone])}
            style={{ width: `${shown}%` }}
          />
        )}
      </span>
    </AriaProgressBar>
  )
}

function toneOf(isFailed: boolean, percent: number): Tone {
  if (isFailed) return 'failed'
  return percent >= 100 ? 'complete' : 'running'
}
