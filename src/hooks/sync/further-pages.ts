import type { UseInfiniteQueryResult } from '@tanstack/react-query'

/** The way on in a list that the server tells page by page. */
export interface FurtherPages {
  /** The server has more than this device was told of. */
  readonly hasMore: boolean
  readonly isLoadingMore: boolean
  /** Pulls the next page; harmless while one is under way or when there is none. */
  readonly loadMore: () => void
}

export function furtherPages(
  pull: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>,
): FurtherPages {
  return {
    hasMore: pull.hasNextPage,
    isLoadingMore: pull.isFetchingNextPage,
    loadMore: () =>
      void (pull.hasNextPage && !pull.isFetchingNextPage ? pull.fetchNextPage() : undefined),
  }
}
