import { expectTypeOf, test } from 'vitest';
import { type Client, CoreAccountError, type ErrorCode } from '#lib/client/index';
import type { FailureCode } from '#lib/failure';

// The compiler makes these checks (`npm run check`): when it runs, nothing is left of them.

type Of<Method extends (...args: never[]) => unknown> = Awaited<ReturnType<Method>>;
type Input<Method extends (...args: never[]) => unknown> = Parameters<Method>[0];
type Options<Method extends (...args: never[]) => unknown> = NonNullable<Parameters<Method>[1]>;
type Account = Client['account'];
type Token = Client['token'];
type System = Client['system'];

test('answers have the types of the contracts, without their envelope', () => {
  expectTypeOf<Of<Token['create']>['value']>().toEqualTypeOf<string>();
  expectTypeOf<Of<Token['listOwn']>['items'][number]['value']>().toEqualTypeOf<null>();
  expectTypeOf<Of<Account['lock']>['changed']>().toEqualTypeOf<boolean>();
  expectTypeOf<Of<Account['profile']>['user']['user_home']>().toEqualTypeOf<string | null>();
  expectTypeOf<Of<Account['profile']>['roles']>().toEqualTypeOf<string[] | undefined>();
  expectTypeOf<Of<System['uuids']>>().toEqualTypeOf<string[]>();
  expectTypeOf<Of<System['preview']>>().toEqualTypeOf<{ html: string }>();
  expectTypeOf<keyof Of<Account['login']>>().toEqualTypeOf<
    'JWTtoken' | 'token_type' | 'expires_in' | 'expires_at' | 'username'
  >();
});

test('a listing gives items, or pages', async () => {
  expectTypeOf<ReturnType<Account['browse']>>().toExtend<AsyncIterator<{ islocked: boolean }>>();
  expectTypeOf<Of<ReturnType<Account['browse']>['pages']>>().toExtend<
    AsyncIterable<{ stats: { locked: number } }>
  >();
  expectTypeOf<ReturnType<Token['browse']>>().toExtend<AsyncIterable<{ token_used_at: string }>>();
});

test('inputs are the parameters of the path and the query, and the properties of the body', () => {
  expectTypeOf<Input<Token['create']>>().toEqualTypeOf<{ token_name: string; username: string }>();
  expectTypeOf<NonNullable<Input<Account['profile']>>['username']>().toEqualTypeOf<string | undefined>();
  expectTypeOf<NonNullable<Input<Account['browse']>>['limit']>().toEqualTypeOf<string | number | undefined>();
  expectTypeOf<NonNullable<Input<Account['browse']>>['inactive_since']>().toEqualTypeOf<
    string | Date | undefined
  >();
  expectTypeOf<Input<Account['reactivate']>>().toEqualTypeOf<{
    username: string;
    revoke_tokens?: boolean | undefined;
  }>();
  expectTypeOf<Input<System['uuids']>>().toEqualTypeOf<{ n: string | number }>();
  expectTypeOf<Options<Token['create']>['idempotencyKey']>().toEqualTypeOf<string | undefined>();
  expectTypeOf<Options<Account['profileUpdate']>['ifMatch']>().toEqualTypeOf<string | undefined>();
  expectTypeOf<keyof Options<Account['lock']>>().toEqualTypeOf<'signal' | 'onHeaders'>();
});

test('what a contract does not have is no input', () => {
  const use = (_: (client: Client) => unknown) => undefined;
  // @ts-expect-error the path has a username
  use(({ account }) => account.lock());
  // @ts-expect-error a filter of another name
  use(({ account }) => account.browse({ roles: 'sys_tokens' }));
  // @ts-expect-error a state that there is not
  use(({ account }) => account.browse({ state: 'idle' }));
  // @ts-expect-error it takes nothing
  use((client) => client.token.listOwn({ username: 'ada' }));
  // @ts-expect-error an operation that there is not
  use(({ account }) => account.remove({ username: 'ada' }));
});

test('the code of an error is one of a closed list', () => {
  expectTypeOf<CoreAccountError['code']>().toEqualTypeOf<ErrorCode>();
  expectTypeOf<FailureCode>().toExtend<ErrorCode>();
  // @ts-expect-error nothing is refused so
  new CoreAccountError('token.create', 'out_of_tokens');
});
