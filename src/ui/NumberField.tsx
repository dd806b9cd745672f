import { Minus, Plus } from 'lucide-react'
import { useState, type KeyboardEvent, type ReactNode } from 'react'
import { Button } from 'react-aria-components/Button'
import {
  FieldError,
  Input,
  Label,
  Text,
  TextField as AriaTextField,
} from 'react-aria-components/TextField'
import { writeNumber, type NumberRule, type TypedNumber } from '#src/lib/typed-number.ts'
import { classNames } from './class-names.ts'
import { digitsLook, errorLook, hintLook, labelLook } from './field-look.ts'
import { KeptRoom } from './KeptRoom.tsx'

export interface NumberFieldProps {
  readonly label: string
  /** NaN shows an empty field. */
  readonly value: TypedNumber
  /** Called at each change with what stands there, and with null while that is not read. */
  readonly onChange: (value: TypedNumber, text: string) => void
  readonly rule: NumberRule
  /** Of the buttons; what is typed is not bounded, so that its owner can say what is wrong. */
  readonly minValue: number
  readonly maxValue?: number
  readonly step: number
  readonly hint?: string
  readonly error?: string | null
  /** Sees a pasted text first; true keeps it out of the field. */
  readonly onPaste?: (text: string) => boolean
  readonly className?: string
}

const stepLook =
  'grid w-11 shrink-0 cursor-pointer place-items-center text-ink-muted transition hover:bg-surface-sunken hover:text-ink data-disabled:cursor-not-allowed data-disabled:opacity-40'

// Two of them stand side by side on a phone, and '10:15' has to be seen whole.
const digitsBoxLook = classNames(
  'min-w-0 flex-1 border-x border-line bg-transparent px-1 text-center text-base tabular-nums outline-none',
  digitsLook,
)

/**
 * A number with 44 px steps down and up. What is typed stays as it is while it is typed; below it
 * stands what was read, where that is written otherwise, or what to do where nothing was.
 */
export function NumberField(props: NumberFieldProps) {
  const { label, value, rule, hint, error = null, onPaste, className } = props
  const { text, readAs, type, leave, press, stepBy } = useTyping(props)
  const refusal = error ?? (value === null ? rule.refusal : null)
  const stepTo = (direction: 1 | -1, words: string, icon: ReactNode) => (
    <Button
      aria-label={`${words} ${label}`}
      excludeFromTabOrder
      preventFocusOnPress
      isDisabled={stepBy(direction) === value}
      onPress={() => press(direction)}
      className={stepLook}
    >
      {icon}
    </Button>
  )
  return (
    <AriaTextField
      value={text}
      onChange={type}
      onBlur={leave}
      inputMode={rule.keys}
      autoComplete="off"
      validationBehavior="aria"
      isInvalid={refusal !== null}
      className={classNames('flex flex-col gap-1.5', className)}
    >
      <Label className={labelLook}>{label}</Label>
      <div
        className={classNames(
          'flex min-h-12 overflow-hidden rounded-control border bg-surface transition focus-within:border-accent focus-within:outline-2 focus-within:outline-accent',
          refusal === null ? 'border-line-control' : 'border-bad',
        )}
      >
        {stepTo(-1, 'Decrease', <Minus aria-hidden className="size-4.5" />)}
        <Input
          onKeyDown={(event) => pressedBy(event, press)}
          onPaste={(event) => {
            if (onPaste?.(event.clipboardData.getData('text')) === true) event.preventDefault()
          }}
          className={digitsBoxLook}
        />
        {stepTo(1, 'Increase', <Plus aria-hidden className="size-4.5" />)}
      </div>
      {hint === undefined ? null : (
        <Text slot="description" className={hintLook}>
          {hint}
        </Text>
      )}
      <KeptRoom className="-mt-1.5">
        <FieldError className={errorLook}>{refusal}</FieldError>
        <p aria-live="polite" className={hintLook}>
          {readAs === null ? null : `Read as ${readAs}`}
        </p>
      </KeptRoom>
    </AriaTextField>
  )
}

/** What stands in the field, and what changes it. */
function useTyping({
  value,
  onChange,
  rule,
  minValue,
  maxValue = Infinity,
  step,
}: NumberFieldProps) {
  /** Null once what was typed is read and the field is left: then the number itself is shown. */
  const [typed, setTyped] = useState<string | null>(null)
  const written = writeNumber(value)
  const isRead = value !== null && !Number.isNaN(value)
  /** The next whole step, as far as there is one. */
  const stepBy = (direction: 1 | -1): number => {
    const steps = isRead ? value / step : minValue / step - direction
    // What floating point leaves of a whole step is none.
    const next = direction === 1 ? Math.floor(steps + 1 + 1e-9) : Math.ceil(steps - 1 - 1e-9)
    return Math.min(maxValue, Math.max(minValue, Number((next * step).toFixed(5))))
  }
  return {
    text: typed ?? written,
    readAs: typed !== null && isRead && typed.trim() !== written ? written : null,
    type: (text: string) => {
      setTyped(text)
      onChange(rule.read(text), text)
    },
    leave: () => {
      if (value !== null) setTyped(null)
    },
    stepBy,
    press: (direction: 1 | -1) => {
      setTyped(null)
      const next = stepBy(direction)
      onChange(next, writeNumber(next))
    },
  }
}

function pressedBy(event: KeyboardEvent, press: (direction: 1 | -1) => void): void {
  if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
  event.preventDefault()
  press(event.key === 'ArrowUp' ? 1 : -1)
}
