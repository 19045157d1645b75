// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;
pragma abicoder v1;

import {Ledger} from "ledger.sol";
import {Signature} from "signature.sol";

/// @notice What an account allows by signing EIP-712 typed data: EIP-3009 transfers and cancellations, EIP-2612 permits.
abstract contract Authorization is Ledger {
    struct Terms {
        address from;
        address to;
        uint256 value;
        uint256 validAfter;
        uint256 validBefore;
        bytes32 nonce;
    }

    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 public constant TRANSFER_WITH_AUTHORIZATION_TYPEHASH = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 public constant RECEIVE_WITH_AUTHORIZATION_TYPEHASH = keccak256(
        "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 public constant CANCEL_AUTHORIZATION_TYPEHASH =
        keccak256("CancelAuthorization(address authorizer,bytes32 nonce)");
    bytes32 public constant PERMIT_TYPEHASH =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

    function DOMAIN_SEPARATOR() external view returns (bytes32) {
        return domainSeparator();
    }

    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        settle(Terms(from, to, value, validAfter, validBefore, nonce), abi.encodePacked(r, s, v));
    }

    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) external {
        settle(Terms(from, to, value, validAfter, validBefore, nonce), signature);
    }

    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        capture(Terms(from, to, value, validAfter, validBefore, nonce), abi.encodePacked(r, s, v));
    }

    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes memory signature
    ) external {
        capture(Terms(from, to, value, validAfter, validBefore, nonce), signature);
    }

    function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) external {
        cancel(authorizer, nonce, abi.encodePacked(r, s, v));
    }

    function cancelAuthorization(address authorizer, bytes32 nonce, bytes memory signature) external {
        cancel(authorizer, nonce, signature);
    }

    function permit(address holder, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
    {
        grant(holder, spender, value, deadline, abi.encodePacked(r, s, v));
    }

    function permit(address holder, address spender, uint256 value, uint256 deadline, bytes memory signature)
        external
    {
        grant(holder, spender, value, deadline, signature);
    }

    function settle(Terms memory terms, bytes memory signature)
        private
        whenNotPaused
        notBlacklisted(terms.from)
        notBlacklisted(terms.to)
    {
        requireUsable(terms);
        require(
            signed(TRANSFER_WITH_AUTHORIZATION_TYPEHASH, terms, signature), "FiatTokenV2: invalid signature"
        );
        execute(terms);
    }

    function capture(Terms memory terms, bytes memory signature)
        private
        whenNotPaused
        notBlacklisted(terms.from)
        notBlacklisted(terms.to)
    {
        require(terms.to == msg.sender, "FiatTokenV2: caller must be the payee");
        requireUsable(terms);
        require(signedForPayee(terms, signature), "FiatTokenV2: invalid signature");
        execute(terms);
    }

    // Neither the blacklist nor the time matters here: a nonce can be cancelled after its authorization expired.
    function cancel(address authorizer, bytes32 nonce, bytes memory signature) private whenNotPaused {
        requireUnused(authorizer, nonce);
        bytes32 structHash = keccak256(abi.encode(CANCEL_AUTHORIZATION_TYPEHASH, authorizer, nonce));
        require(Signature.isValid(authorizer, digest(structHash), signature), "FiatTokenV2: invalid signature");
        authorizationState[authorizer][nonce] = true;
        emit AuthorizationCanceled(authorizer, nonce);
    }

    function grant(address holder, address spender, uint256 value, uint256 deadline, bytes memory signature)
        private
        whenNotPaused
    {
        require(deadline >= block.timestamp, "FiatTokenV2: permit is expired");
        bytes32 structHash = keccak256(abi.encode(PERMIT_TYPEHASH, holder, spender, value, nonces[holder]++, deadline));
        require(Signature.isValid(holder, digest(structHash), signature), "EIP2612: invalid signature");
        setAllowance(holder, spender, value);
    }

    function execute(Terms memory terms) private {
        authorizationState[terms.from][terms.nonce] = true;
        emit AuthorizationUsed(terms.from, terms.nonce);
        move(terms.from, terms.to, terms.value);
    }

    // Both bounds are exclusive.
    function requireUsable(Terms memory terms) private view {
        require(block.timestamp > terms.validAfter, "FiatTokenV2: authorization is not yet valid");
        require(block.timestamp < terms.validBefore, "FiatTokenV2: authorization is expired");
        requireUnused(terms.from, terms.nonce);
    }

    function requireUnused(address authorizer, bytes32 nonce) private view {
        require(!authorizationState[authorizer][nonce], "FiatTokenV2: authorization is used or canceled");
    }

    /// @dev Which signature lets the payee capture.
    function signedForPayee(Terms memory terms, bytes memory signature) internal view virtual returns (bool) {
        return signed(RECEIVE_WITH_AUTHORIZATION_TYPEHASH, terms, signature);
    }

    function signed(bytes32 typehash, Terms memory terms, bytes memory signature) internal view returns (bool) {
        bytes32 structHash = keccak256(
            abi.encode(
                typehash, terms.from, terms.to, terms.value, terms.validAfter, terms.validBefore, terms.nonce
            )
        );
        return Signature.isValid(terms.from, digest(structHash), signature);
    }

    function digest(bytes32 structHash) private view returns (bytes32) {
        return keccak256(abi.encodePacked(hex"1901", domainSeparator(), structHash));
    }

    // Computed on every call, so that a changed chain id or name takes effect at once.
    function domainSeparator() internal view returns (bytes32) {
        return keccak256(
            abi.encode(
                DOMAIN_TYPEHASH, keccak256(bytes(name)), keccak256(bytes(version())), block.chainid, address(this)
            )
        );
    }
}
