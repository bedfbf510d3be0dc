// The types of LangGraph's `BaseStore`, spelled out so that no one has to install it for them.
// oxlint-disable typescript/no-explicit-any -- the compiler must see the same types as in LangGraph

/** A value with its place and times. */
export interface LangGraphItem {
  value: Record<string, any>;
  key: string;
  namespace: string[];
  createdAt: Date;
  updatedAt: Date;
}

export interface LangGraphSearchItem extends LangGraphItem {
  score?: number;
}

export interface LangGraphGet {
  namespace: string[];
  key: string;
}

export interface LangGraphSearch {
  namespacePrefix: string[];
  filter?: Record<string, any>;
  limit?: number;
  offset?: number;
  query?: string;
}

export interface LangGraphPut {
  namespace: string[];
  key: string;
  value: Record<string, any> | null;
  index?: false | string[];
}

export interface LangGraphList {
  matchConditions?: { matchType: "prefix" | "suffix"; path: string[] }[];
  maxDepth?: number;
  limit: number;
  offset: number;
}

export type LangGraphOperation = LangGraphGet | LangGraphSearch | LangGraphPut | LangGraphList;

export type LangGraphResults<Operations extends readonly LangGraphOperation[]> = {
  [At in keyof Operations]: Operations[At] extends LangGraphPut
    ? void
    : Operations[At] extends LangGraphSearch
      ? LangGraphSearchItem[]
      : Operations[At] extends LangGraphGet
        ? LangGraphItem | null
        : Operations[At] extends LangGraphList
          ? string[][]
          : never;
};

/** A store that fits `BaseStore` of LangGraph. */
export interface LangGraphStore {
  batch: <Operations extends LangGraphOperation[]>(
    operations: Operations,
  ) => Promise<LangGraphResults<Operations>>;
  get: (namespace: string[], key: string) => Promise<LangGraphItem | null>;
  search: (
    namespacePrefix: string[],
    options?: Omit<LangGraphSearch, "namespacePrefix">,
  ) => Promise<LangGraphSearchItem[]>;
  put: (namespace: string[], key: string, value: Record<string, any>) => Promise<void>;
  delete: (namespace: string[], key: string) => Promise<void>;
  listNamespaces: (options?: {
    prefix?: string[];
    suffix?: string[];
    maxDepth?: number;
    limit?: number;
    offset?: number;
  }) => Promise<string[][]>;
  start: () => void;
  stop: () => void;
}
