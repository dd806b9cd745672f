import type { HTMLInputAutoCompleteAttribute, Ref } from 'react'
import {
  FieldError,
  Input,
  Label,
  Text,
  TextField as AriaTextField,
} from 'react-aria-components/TextField'
import { classNames } from './class-names.ts'
import { digitsLook, errorLook, hintLook, inputLook, labelLook } from './field-look.ts'

export interface TextFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly type?: 'text' | 'email' | 'search' | 'url'
  readonly name?: string
  readonly hint?: string
  /** Shown under the field and tied to it; null when all is well. */
  readonly error?: string | null
  /** Only marks the field: the caller shows the words of the error elsewhere. */
  readonly isErrorElsewhere?: boolean
  readonly placeholder?: string
  readonly autoComplete?: HTMLInputAutoCompleteAttribute
  readonly inputMode?: 'text' | 'email' | 'numeric' | 'search'
  readonly maxLength?: number
  readonly isRequired?: boolean
  readonly isDisabled?: boolean
  readonly isReadOnly?: boolean
  readonly autoFocus?: boolean
  readonly onFocus?: () => void
  readonly onBlur?: () => void
  readonly isLabelHidden?: boolean
  readonly className?: string
  readonly inputClassName?: string
  readonly ref?: Ref<HTMLInputElement>
}

/**
 * One line of text with its label, hint and error. Validation is the caller's; the browser's own
 * bubbles never show.
 */
export function TextField(props: TextFieldProps) {
  const {
    label,
    hint,
    error = null,
    placeholder,
    isErrorElsewhere = false,
    isLabelHidden = false,
    className,
    inputClassName,
    ref,
    ...rest
  } = props
  return (
    <AriaTextField
      {...rest}
      validationBehavior="aria"
      isInvalid={error !== null}
      className={classNames('flex flex-col gap-1.5', className)}
    >
      <Label className={isLabelHidden ? 'sr-only' : labelLook}>{label}</Label>
      <Input
        {...(ref === undefined ? {} : { ref })}
        {...(placeholder === undefined ? {} : { placeholder })}
        // Hebrew and Arabic are written as they will be shown.
        dir="auto"
        className={classNames(
          inputLook,
          rest.inputMode === 'numeric' && digitsLook,
          inputClassName,
        )}
      />
      {hint === undefined ? null : (
        <Text slot="description" className={hintLook}>
          {hint}
        </Text>
      )}
      {isErrorElsewhere ? null : <FieldError className={errorLook}>{error}</FieldError>}
    </AriaTextField>
  )
}
