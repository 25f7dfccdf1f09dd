CREATE TABLE `chain_visitors` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `chain_visitors_user_id_unique` ON `chain_visitors` (`user_id`);--> statement-breakpoint
CREATE TABLE `hq_order_stores` (
	`order_id` text NOT NULL,
	`store` integer NOT NULL,
	`state` text DEFAULT 'waiting' NOT NULL,
	`screens` integer DEFAULT 0 NOT NULL,
	`acked` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`error` text DEFAULT '' NOT NULL,
	`at` integer,
	PRIMARY KEY(`order_id`, `store`),
	FOREIGN KEY (`order_id`) REFERENCES `hq_orders`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`store`) REFERENCES `hq_stores`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `hq_order_stores_open` ON `hq_order_stores` (`store`,`state`);--> statement-breakpoint
CREATE TABLE `hq_orders` (
	`id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`command` text NOT NULL,
	`tag` text,
	`visitor` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `hq_orders_workspace` ON `hq_orders` (`workspace_id`,`created_at`);--> statement-breakpoint
ALTER TABLE `chain_links` ADD `may` text;--> statement-breakpoint
ALTER TABLE `hq_stores` ADD `latitude` real;--> statement-breakpoint
ALTER TABLE `hq_stores` ADD `longitude` real;