/** How many pages a credential has exported in a minute. */
export interface ExportPages {
  readonly pages: number;
  /** End, in seconds since the epoch; DynamoDB then removes the item. */
  readonly ttl: number;
}
