/** All pages of a listing, in their order; at most a thousand, so that a faulty cursor ends. */
export async function pagesOf<Page extends { readonly next_cursor?: string | undefined }>(
  list: (cursor: string | undefined) => Promise<Page>,
): Promise<Page[]> {
  const pages = [await list(undefined)];
  for (let next = pages[0]?.next_cursor; next !== undefined && pages.length < 1000; ) {
    const page = await list(next);
    pages.push(page);
    next = page.next_cursor;
  }
  return pages;
}
