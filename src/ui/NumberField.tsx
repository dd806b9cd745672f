import { Minus, Plus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import {
  Button,
  FieldError,
  Group,
  Input,
  Label,
  NumberField as AriaNumberField,
  Text,
} from 'react-aria-components/NumberField'
import { classNames } from './class-names.ts'
import { errorLook, hintLook, labelLook } from './field-look.ts'
import { KeptRoom } from './KeptRoom.tsx'

export interface NumberFieldProps {
  readonly label: string
  /** NaN shows an empty field. */
  readonly value: number
  /** Called with NaN when the field is emptied. */
  readonly onChange: (value: number) => void
  readonly minValue?: number
  readonly maxValue?: number
  readonly step?: number
  /**
   * `validate` leaves what was typed as it is, for a field whose owner says what is wrong with it;
   * else it is clamped and rounded when the field is left.
   */
  readonly commitBehavior?: 'snap' | 'validate'
  readonly formatOptions?: Intl.NumberFormatOptions
  readonly hint?: string
  readonly error?: string | null
  readonly isDisabled?: boolean
  readonly isRequired?: boolean
  readonly onPaste?: (text: string) => void
  readonly className?: string
}

const stepLook =
  'grid w-11 shrink-0 cursor-pointer place-items-center text-ink-muted transition hover:bg-surface-sunken hover:text-ink data-disabled:cursor-not-allowed data-disabled:opacity-40'

/**
 * A number with 44 px steps down and up. What is not a number is not taken, and the field says so.
 */
export function NumberField({
  label,
  hint,
  error = null,
  className,
  onChange,
  onPaste,
  ...rest
}: NumberFieldProps) {
  const { isRefused, input, read } = useRefusal()
  return (
    <AriaNumberField
      {...rest}
      validationBehavior="aria"
      isInvalid={error !== null}
      onChange={(value) => {
        read('')
        onChange(value)
      }}
      onPaste={(event) => {
        const text = event.clipboardData.getData('text')
        read(text)
        onPaste?.(text)
      }}
      className={classNames('flex flex-col gap-1.5', className)}
    >
      <Label className={labelLook}>{label}</Label>
      <Group className="flex min-h-12 overflow-hidden rounded-control border border-line-control bg-surface transition data-focus-within:border-accent data-focus-within:outline-2 data-focus-within:outline-accent data-invalid:border-bad data-disabled:bg-surface-sunken">
        <Button slot="decrement" className={stepLook}>
          <Minus aria-hidden className="size-4.5" />
        </Button>
        <Input
          ref={input}
          className="min-w-0 flex-1 border-x border-line bg-transparent px-3 text-center text-base tabular-nums outline-none"
        />
        <Button slot="increment" className={stepLook}>
          <Plus aria-hidden className="size-4.5" />
        </Button>
      </Group>
      {hint === undefined ? null : (
        <Text slot="description" className={hintLook}>
          {hint}
        </Text>
      )}
      <KeptRoom className="-mt-1.5">
        <FieldError className={errorLook}>{error}</FieldError>
        {isRefused && error === null ? (
          <p role="alert" className={errorLook}>
            Only a number can be entered here
          </p>
        ) : null}
      </KeptRoom>
    </AriaNumberField>
  )
}

const LETTER = /\p{L}/u

/** Whether letters were typed or pasted, which the field does not take. */
function useRefusal() {
  const [isRefused, setRefused] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  // Typed letters never arrive as input: the field takes them away before.
  useEffect(() => {
    const field = input.current
    const onTyped = ({ data }: InputEvent) => setRefused(LETTER.test(data ?? ''))
    field?.addEventListener('beforeinput', onTyped)
    return () => field?.removeEventListener('beforeinput', onTyped)
  }, [])
  return { isRefused, input, read: (text: string) => setRefused(LETTER.test(text)) }
}
