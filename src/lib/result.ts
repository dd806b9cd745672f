/**
 * An expected outcome: cloneable data, so that it crosses workers and storage. Bugs throw instead.
 */
export type Result<T, E> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E }

/** A success. */
export function ok<T>(value: T): Result<T, never> {
  return { ok: true, value }
}

/** An expected failure; `error` is a plain object with a stable `code`. */
export function err<E>(error: E): Result<never, E> {
  return { ok: false, error }
}
